package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class AllocatorReportTest {

  /*
   *   | 1000 of 1024 weights | 1024 free | 2000 of 2048 encoder | 4096 free |
   */
  private static BfcAllocator small() {
    BfcAllocator allocator =
        new BfcAllocator(
            "gpu", ScriptedRegions.ascending(), BfcOptions.oneRegion(8192).withSplitThreshold(1));
    AllocationTag.of("weights").run(() -> allocator.allocate(1000));
    long hole = allocator.allocate(1024);
    AllocationTag.of("encoder").run(() -> allocator.allocate(2000));
    allocator.free(hole);
    return allocator;
  }

  private static final String SMALL =
      """
      allocator 'gpu': 3 KiB in use (2.93 KiB requested) by 2 allocations, 8 KiB reserved in 1 region, limit 8 KiB
      peak 4 KiB in use, 8 KiB reserved; largest free chunk 4 KiB; fragmentation 20.0 % external, 2.3 % internal
      chunks from      in use          bytes       free          bytes
      1 KiB                 1          1 KiB          1          1 KiB
      2 KiB                 1          2 KiB          0        0 bytes
      4 KiB                 0        0 bytes          1          4 KiB
               2 KiB in 1 allocation: encoder
               1 KiB in 1 allocation: weights\
      """;

  @Test
  void toString_fewChunks_text() {
    assertThat(small().report()).hasToString(SMALL);
  }

  @Test
  void toString_otherLocale_sameText() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try {
      assertThat(small().report()).hasToString(SMALL);
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void toString_nothingHeld_twoLines() {
    BfcAllocator allocator =
        new BfcAllocator("gpu", ScriptedRegions.ascending(), BfcOptions.growing());
    assertThat(allocator.report())
        .hasToString(
            """
            allocator 'gpu': 0 bytes in use (0 bytes requested) by 0 allocations, 0 bytes reserved in 0 regions, limit none
            peak 0 bytes in use, 0 bytes reserved; largest free chunk 0 bytes; fragmentation 0.0 % external, 0.0 % internal\
            """);
  }

  @Test
  void toString_tenThousandChunksAndAThousandTags_isBounded() {
    BfcAllocator allocator =
        new BfcAllocator(
            "gpu", ScriptedRegions.ascending(), BfcOptions.growing().withSplitThreshold(1));
    for (int i = 0; i < 10_000; i++) {
      long bytes = 256L << i % 22;
      AllocationTag.of("tag " + i % 1000).run(() -> allocator.allocate(bytes));
    }
    AllocatorReport report = allocator.report();
    assertThat(report.bins()).hasSize(21);
    assertThat(report.holders()).hasSize(1000);
    assertThat(report.toString().lines())
        .hasSize(35)
        .allMatch(line -> line.length() <= 140)
        .last()
        .asString()
        .endsWith(": (990 more tags)");
  }

  @Test
  void bins_anyChunks_areCountedBySize() {
    assertThat(small().report().bins())
        .containsExactly(
            new AllocatorReport.Bin(1024, 1, 1024, 1, 1024),
            new AllocatorReport.Bin(2048, 0, 0, 1, 2048),
            new AllocatorReport.Bin(4096, 1, 4096, 0, 0));
    assertThat(small().report().regionCount()).isEqualTo(1);
    assertThat(small().report().statistics()).isEqualTo(small().statistics());
  }

  @Test
  void bins_chunksOfTheLastSizeAndAbove_areOne() {
    BfcAllocator allocator =
        new BfcAllocator(
            "gpu",
            ScriptedRegions.ascending().resizing(),
            BfcOptions.expandable().withSplitThreshold(1));
    allocator.allocate(256L << 20);
    allocator.allocate(256L << 30);
    allocator.allocate((256L << 20) - 1);
    allocator.allocate((256L << 20) - 256);
    assertThat(allocator.report().bins())
        .containsExactly(
            new AllocatorReport.Bin(256 << 19, 0, 0, 1, (256L << 20) - 256),
            new AllocatorReport.Bin(256 << 20, 0, 0, 3, (512L << 20) + (256L << 30)));
  }

  @Test
  void holders_equalBytes_areInTheOrderOfTheirNames() {
    BfcAllocator allocator =
        new BfcAllocator("gpu", ScriptedRegions.ascending(), BfcOptions.growing());
    for (String name : List.of("c", "a", "b")) {
      AllocationTag.of(name).run(() -> allocator.allocate(10));
    }
    allocator.allocate(300);
    assertThat(allocator.report().holders())
        .containsExactly(
            new AllocatorReport.Holder("", 1, 300, 512),
            new AllocatorReport.Holder("a", 1, 10, 256),
            new AllocatorReport.Holder("b", 1, 10, 256),
            new AllocatorReport.Holder("c", 1, 10, 256));
    assertThat(allocator.report().toString())
        .contains("\n     512 bytes in 1 allocation: (no tag)\n");
  }

  @Test
  void report_ofAFailure_canBeSent() throws IOException, ClassNotFoundException {
    AllocatorReport report = small().report();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(report);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      assertThat(in.readObject()).isEqualTo(report);
    }
  }
}
