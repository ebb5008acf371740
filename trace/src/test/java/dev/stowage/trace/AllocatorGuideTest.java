package dev.stowage.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.AllocationBudget;
import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.allocator.LimitChange;
import dev.stowage.allocator.SubAllocator;
import dev.stowage.allocator.TrimResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the examples of docs/allocator.md. */
class AllocatorGuideTest {

  private static final Path ROOT = Path.of(System.getProperty("stowage.root", ".."));
  private static final Path GUIDE = ROOT.resolve("docs/allocator.md");

  @TempDir private Path folder;

  /** The output of the examples. */
  private final List<String> printed = new ArrayList<>();

  private void print(@Nullable Object text) {
    printed.add(String.valueOf(text));
  }

  /** {@return a text in one line, since the guide may wrap it elsewhere} */
  private static String unbroken(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }

  /** A device of 64 MiB. */
  private static final class Device implements SubAllocator {

    private static final long START = 0x1000_0000;
    private static final long TOTAL_BYTES = 64 << 20;

    private long end = START;

    @Override
    public OptionalLong allocate(long bytes) {
      if (bytes > TOTAL_BYTES - (end - START)) {
        return OptionalLong.empty();
      }
      long address = end;
      end += bytes;
      return OptionalLong.of(address);
    }

    @Override
    public void free(long address, long bytes) {
      end = address;
    }

    @Override
    public boolean resize(long address, long bytes, long newBytes) {
      if (address + newBytes > START + TOTAL_BYTES) {
        return false;
      }
      end = address + newBytes;
      return true;
    }
  }

  @Test
  void guide_everyExample_runsAndPrintsTheShownOutput() throws Exception {
    Device device = new Device();
    allocate(device);
    runOut(new Device());
    repeat(new Device());
    budget(new Device());
    useBothEnds(new Device());
    openPools(new Device());
    record(new Device(), folder.resolve("run.csv.gz"));

    String guide = Files.readString(GUIDE);
    String tested =
        unindented(
            Files.readString(
                ROOT.resolve("trace/src/test/java/dev/stowage/trace/AllocatorGuideTest.java")));
    for (String example : blocks(guide, "java")) {
      assertThat(tested).contains(unindented(example));
    }
    assertThat(blocks(guide, "text").stream().map(AllocatorGuideTest::unbroken))
        .isEqualTo(printed.stream().map(AllocatorGuideTest::unbroken).toList());
  }

  private static List<String> blocks(String guide, String language) {
    Matcher matcher =
        Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(guide);
    return matcher.results().map(block -> block.group(1)).toList();
  }

  private static String unindented(String code) {
    return String.join("\n", code.lines().map(String::strip).toList());
  }

  private void allocate(SubAllocator device) {
    BfcAllocator allocator =
        new BfcAllocator("gpu", device, BfcOptions.expandable().withLimit(48 << 20));

    AllocationTag.of("weights").run(() -> allocator.allocate(10_000_000));
    long[] activations = new long[4];
    AllocationTag.of("encoder")
        .run(() -> {
          for (int layer = 0; layer < 4; layer++) {
            activations[layer] = allocator.allocate(6_000_000);
          }
        });
    allocator.free(activations[0]);
    allocator.free(activations[2]);

    print(allocator.report());

    try {
      AllocationTag.of("decoder").run(() -> allocator.allocate(24_000_000));
    } catch (BfcOutOfMemoryException e) {
      print(e.getMessage());
    }

    allocator.free(activations[3]);
    TrimResult trimmed = allocator.trim();
    print(trimmed.bytes() + " bytes went back, " + trimmed.pinnedFreeBytes() + " are pinned");

    LimitChange lower = allocator.setLimit(24 << 20);
    print(lower.isReached() + ", the limit is " + lower.limitBytes());
    LimitChange tooLow = allocator.setLimit(1 << 20);
    print(tooLow.isReached() + ", the limit is " + tooLow.limitBytes());
    allocator.free(activations[1]);
    allocator.free(allocator.allocations().getFirst().address());
    allocator.close();
  }

  private void runOut(SubAllocator device) throws InterruptedException {
    BfcAllocator allocator = new BfcAllocator("gpu", device, BfcOptions.oneRegion(1 << 20));
    long held = allocator.allocate(1 << 20);
    Thread.startVirtualThread(() -> allocator.free(held));
    long address = allocator.allocateOrWait(1 << 20, 256, Duration.ofSeconds(10));
    allocator.free(address);
    allocator.close();
  }

  private static void repeat(SubAllocator device) {
    BfcAllocator allocator =
        new BfcAllocator("gpu", device, BfcOptions.growing().withFrontCache(256 << 20));
    long address = allocator.allocate(1 << 20);
    allocator.free(address);
    assertThat(allocator.allocate(1 << 20)).isEqualTo(address);
    allocator.free(address);
    allocator.close();
  }

  private void budget(SubAllocator device) {
    BfcAllocator allocator = new BfcAllocator("gpu", device, BfcOptions.expandable());
    AllocationBudget gpu = AllocationBudget.root("gpu", allocator, 48 << 20);
    try (AllocationBudget request = gpu.child("request 7", 8 << 20, 16 << 20)) {
      long address = request.allocate(12 << 20);
      print(gpu.usedBytes() + " of " + gpu.limitBytes());
      try {
        request.allocate(6 << 20);
      } catch (BfcOutOfMemoryException e) {
        print(e.getMessage());
      }
      allocator.free(address);
    }
    allocator.close();
  }

  private void useBothEnds(SubAllocator device) {
    BfcOptions options = BfcOptions.oneRegion(32 << 20).withTwoEnds();
    try (BfcAllocator allocator = new BfcAllocator("gpu", device, options)) {
      long weights = allocator.allocate(4 << 20);
      long scratch = allocator.highEnd().allocate(1 << 20, 256);
      print(Long.toHexString(weights) + " and " + Long.toHexString(scratch));
      allocator.free(weights);
      allocator.free(scratch);
    }
  }

  private void openPools(SubAllocator device) {
    BfcAllocator gpu = new BfcAllocator("gpu", device, BfcOptions.growing().withLimit(48 << 20));
    BfcAllocator graph = gpu.openPrivatePool("graph 1");
    long scratch = graph.allocate(3 << 20);
    graph.free(scratch); // the captured work still writes there
    long other = gpu.allocate(3 << 20);
    print(graph.regions().contains(gpu.regions().getFirst()));
    print(gpu.privatePoolBytes() + " bytes in private pools");
    graph.closeWhenFree(); // after the graph: its memory is returned
    print(gpu.privatePoolBytes() + " bytes in private pools");
    gpu.free(other);
    gpu.close();
  }

  private void record(SubAllocator device, Path file) throws IOException {
    try (TraceRecorder recorder = TraceRecorder.create(file);
        BfcAllocator allocator =
            new BfcAllocator("gpu", device, BfcOptions.expandable(), recorder)) {
      allocator.free(allocator.allocate(1000));
    }
    assertThat(file).isNotEmptyFile();
  }
}
