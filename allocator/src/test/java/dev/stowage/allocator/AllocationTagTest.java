package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllocationTagTest {

  private final BfcAllocator allocator =
      new BfcAllocator("gpu", ScriptedRegions.ascending(), BfcOptions.growing());

  private String tagOfAnAllocation() {
    long address = allocator.allocate(1);
    return allocator.allocation(address).map(Allocation::tag).orElseThrow();
  }

  @Test
  void allocate_underNoTag_bearsNone() {
    assertThat(tagOfAnAllocation()).isEmpty();
  }

  @Test
  void run_anyAllocation_bearsTheTag() {
    AllocationTag encoder = AllocationTag.of("encoder");
    List<String> tags = new ArrayList<>();
    encoder.run(() -> {
      tags.add(tagOfAnAllocation());
      long address = allocator.tryAllocate(1, 1).orElseThrow();
      allocator.allocation(address).map(Allocation::tag).ifPresent(tags::add);
      AllocationBudget.root("job", allocator, 1000).allocate(1);
      allocator.allocations().stream().map(Allocation::tag).forEach(tags::add);
    });
    tags.add(tagOfAnAllocation());
    assertThat(tags).containsExactly("encoder", "encoder", "encoder", "encoder", "encoder", "");
    assertThat(encoder).hasToString("encoder");
  }

  @Test
  void run_withinATag_isAPath() {
    AllocationTag attention = AllocationTag.of("attention");
    AllocationTag encoder = AllocationTag.of("encoder");
    List<String> tags = new ArrayList<>();
    encoder.run(() -> {
      attention.run(() -> {
        attention.run(() -> tags.add(tagOfAnAllocation()));
        tags.add(tagOfAnAllocation());
      });
      tags.add(tagOfAnAllocation());
    });
    attention.run(() -> tags.add(tagOfAnAllocation()));
    assertThat(tags)
        .containsExactly(
            "encoder/attention/attention", "encoder/attention", "encoder", "attention");
  }

  @Test
  void call_anyCode_returnsItsResult() {
    String tag = AllocationTag.of("encoder").call(this::tagOfAnAllocation);
    assertThat(tag).isEqualTo("encoder");
  }

  // @throws X if the code throws it
  @Test
  void call_codeThrows_throwsItAndEndsTheTag() {
    AllocationTag encoder = AllocationTag.of("encoder");
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() ->
            encoder.call(() -> {
              throw new IOException("no such tensor");
            }))
        .withMessage("no such tensor");
    assertThatIllegalStateException()
        .isThrownBy(() ->
            encoder.run(() -> {
              throw new IllegalStateException("no such layer");
            }));
    assertThat(tagOfAnAllocation()).isEmpty();
  }

  // @throws IllegalArgumentException if name is empty
  @Test
  void of_noName_throws() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AllocationTag.of(""))
        .withMessage("name must not be empty: name=''");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void run_startsAThread_itDoesNotInheritTheTag(boolean isVirtual) throws InterruptedException {
    Thread.Builder builder = isVirtual ? Thread.ofVirtual() : Thread.ofPlatform();
    String tag =
        AllocationTag.of("encoder")
            .call(() -> {
              List<String> tags = new ArrayList<>();
              builder.start(() -> tags.add(tagOfAnAllocation())).join();
              return tags.getFirst();
            });
    assertThat(tag).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void run_twoThreads_eachHasItsOwn(boolean isVirtual) throws InterruptedException {
    Thread.Builder builder = isVirtual ? Thread.ofVirtual() : Thread.ofPlatform();
    List<Thread> threads = new ArrayList<>();
    for (String name : List.of("encoder", "decoder")) {
      threads.add(
          builder.start(() ->
              AllocationTag.of(name)
                  .run(() -> {
                    for (int i = 0; i < 1000; i++) {
                      allocator.allocate(name.length());
                    }
                  })));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(allocator.report().holders())
        .containsExactly(
            new AllocatorReport.Holder("decoder", 1000, 7000, 256_000),
            new AllocatorReport.Holder("encoder", 1000, 7000, 256_000));
  }
}
