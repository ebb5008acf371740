package dev.stowage.trace.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.allocator.OutOfMemoryVerdict;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.testing.SampleModels;
import dev.stowage.trace.replay.Confidence;
import dev.stowage.trace.replay.HeldRegion;
import dev.stowage.trace.replay.Placement;
import dev.stowage.trace.replay.PlacementConsumer;
import dev.stowage.trace.replay.ReplayResult;
import dev.stowage.trace.replay.TraceReplay;
import dev.stowage.trace.replay.XlaRules;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class XlaLogTest {

  @TempDir Path folder;

  private Path log(String... messages) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < messages.length; i++) {
      text.append("I1123 08:42:10.00")
          .append(String.format(Locale.ROOT, "%04d", i))
          .append("     449 ");
      text.append("bfc_allocator.cc:1] ").append(messages[i]).append('\n');
    }
    return Files.writeString(folder.resolve("job.log"), text);
  }

  private static String allocated(long bytes, String address) {
    return "AllocateRaw GPU_0_bfc  " + bytes + " 0x" + address;
  }

  private static String freed(String address) {
    return "[mem-debug] DeallocateRaw,GPU_0_bfc,4,0x" + address + ",*** Begin stack trace ***";
  }

  private static final String[] REGION = {
    "Extending allocation by 2.00MiB bytes for GPU_0_bfc.",
    "Allocated memory at 0x7f0000000000 to 0x7f0000200000"
  };

  private static String[] afterRegion(String... messages) {
    List<String> all = new ArrayList<>(List.of(REGION));
    all.addAll(List.of(messages));
    return all.toArray(String[]::new);
  }

  private static TraceSummary read(Path file, List<String> events) throws IOException {
    return TraceReader.read(
        "job.log", file, TraceOptions.strict(), event -> events.add(text(event)));
  }

  private static List<String> events(Path file) throws IOException {
    List<String> events = new ArrayList<>();
    read(file, events);
    return events;
  }

  private static TraceReplay replay(Path file, OptionalLong limit) throws IOException {
    TraceReplay replay = new TraceReplay(new XlaRules(limit), PlacementConsumer.none());
    TraceReader.read("job.log", file, TraceOptions.strict(), replay);
    return replay;
  }

  private static Confidence confidence(Path file, OptionalLong limit) throws IOException {
    return Confidence.of(replay(file, limit), new XlaRules(limit));
  }

  private static String text(AllocationEvent event) {
    return switch (event) {
      case AllocationEvent.Allocate allocate -> "a" + allocate.id() + ":" + allocate.bytes();
      case AllocationEvent.Fail fail -> "x" + fail.id() + ":" + fail.request().bytes();
      case AllocationEvent.Free free -> "f" + free.id();
    };
  }

  @Test
  void read_aLog_hasTheAllocationsAndFrees() throws IOException {
    Path file =
        log(
            afterRegion(
                "AllocateRaw GPU_0_bfc 300 alignment=64",
                allocated(300, "7f0000000000"),
                freed("7f0000000000"),
                allocated(4, "7f0000000000")));
    assertThat(events(file)).containsExactly("a0:300", "f0", "a1:4");
  }

  /** The free at 0x...000 would have given the next request this address. */
  @Test
  void read_aFreeThatTookPlaceLater_isMovedBehindTheAllocation() throws IOException {
    Path file =
        log(
            afterRegion(
                allocated(256, "7f0000000000"),
                allocated(256, "7f0000000100"),
                freed("7f0000000000"),
                allocated(256, "7f0000000200")));
    List<String> events = new ArrayList<>();
    TraceSummary summary = read(file, events);
    assertThat(events).containsExactly("a0:256", "a1:256", "a2:256", "f0");
    assertThat(summary.notes())
        .containsExactly(
            "1 free was moved behind the allocation that follows: the line of a free is written"
                + " before it takes place");
  }

  @Test
  void read_severalAllocatorsAndOtherLines_hasTheChosenDevice() throws IOException {
    Path file =
        log(
            afterRegion(
                "a line of the same file without a meaning here",
                allocated(512, "7f0000000000"),
                "AllocateRaw GPU_1_bfc  1024 0x7e0000000000",
                "Extending allocation by 2.00MiB bytes for xla_gpu_host_bfc.",
                "Allocated memory at 0x100000 to 0x300000"));
    Files.writeString(
        file,
        "an interleaved line\nW1123 08:42:11.1 1 other.cc:3] AllocateRaw",
        StandardOpenOption.APPEND);
    assertThat(events(file)).containsExactly("a0:512");
    List<String> other = new ArrayList<>();
    TraceReader.read(
        "job.log", file, TraceOptions.strict().withDevice(1), event -> other.add(text(event)));
    assertThat(other).containsExactly("a0:1024");
    assertThatThrownBy(() ->
            TraceReader.read("job.log", file, TraceOptions.strict().withDevice(2), event -> {}))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            "job.log: has no allocation and no report of GPU_2_bfc, expected one of these"
                + " allocators for --device: GPU_0_bfc, GPU_1_bfc");
  }

  @Test
  void read_freesWithoutAddresses_isAnErrorWithTheRemedy() throws IOException {
    Path file = log(afterRegion(allocated(512, "7f0000000000"), "DeallocateRaw GPU_0_bfc 512"));
    assertThatThrownBy(() -> events(file))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining("TF_CPP_MAX_VLOG_LEVEL=4");
  }

  @Test
  void read_regionsOfTwoThreads_belongToTheirAllocators() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("job.log"),
            """
            I1123 08:42:10.000001       1 bfc_allocator.cc:1] Extending allocation by 2.00MiB bytes for GPU_0_bfc.
            I1123 08:42:10.000002       2 bfc_allocator.cc:1] Extending allocation by 2.00MiB bytes for xla_gpu_host_bfc.
            I1123 08:42:10.000003       2 bfc_allocator.cc:1] Allocated memory at 0x100000 to 0x300000
            I1123 08:42:10.000004       1 bfc_allocator.cc:1] Allocated memory at 0x7f0000000000 to 0x7f0000200000
            I1123 08:42:10.000005       1 bfc_allocator.cc:1] AllocateRaw GPU_0_bfc  4 0x7f0000000000
            I1123 08:42:10.000006       1 bfc_allocator.cc:1] [mem-debug] DeallocateR
            I1123 08:42:10.000007       1 bfc_allocator.cc:1] AllocateRaw GPU_0_bfc  4 0x
            """);
    TraceReplay replay =
        new TraceReplay(new XlaRules(OptionalLong.empty()), PlacementConsumer.none());
    TraceSummary summary = TraceReader.read("job.log", file, TraceOptions.strict(), replay);
    assertThat(replay.recordedAddresses()).hasValue(1);
    assertThat(summary.notes()).containsExactly("1 line is not complete, and was skipped");
  }

  @Test
  void read_anImpossibleRegion_isAnError() throws IOException {
    Path file =
        log(
            "Extending allocation by 8388608.00TiB bytes for GPU_0_bfc.",
            "Allocated memory at 0x0 to 0x7fffffffffffffff");
    assertThatThrownBy(() -> events(file))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining("has a region from 0x0 to 0x7fffffffffffffff, expected one below");
  }

  @Test
  void replay_byXlasRules_hasTheRecordedAddressesInRegionsThatGrow() throws IOException {
    Path file =
        log(
            afterRegion(
                allocated(2 << 20, "7f0000000000"),
                "Extending allocation by 4.00MiB bytes for GPU_0_bfc.",
                "Allocated memory at 0x302000000 to 0x302400000",
                allocated(1000, "302000000"),
                freed("7f0000000000"),
                allocated(2000, "7f0000000000")));
    TraceReplay replay = replay(file, OptionalLong.empty());
    assertThat(replay.recordedAddresses()).hasValue(3);
    assertThat(replay.result().regionBytes()).containsExactly(4L << 20, 2L << 20);
  }

  /** The allocator of XLA (November 2025) with requests of random sizes, of which 18 fail. */
  @Test
  void replay_ofALogWithFailures_hasAllRecordedAddressesAndFailures() throws IOException {
    Path file = SampleModels.folder("gpu/xla").resolve("bfc_failures.log.gz");
    TraceReplay replay =
        new TraceReplay(new XlaRules(OptionalLong.empty()), PlacementConsumer.none());
    TraceSummary summary =
        TraceReader.read("bfc_failures.log.gz", file, TraceOptions.strict(), replay);
    assertThat(replay.recordedAddresses()).hasValue(replay.addressCount());
    long failures = 18;
    assertThat(replay.result().failures()).isEqualTo(failures);
    assertThat(replay.result().allocations()).isEqualTo(replay.addressCount() + failures);
    assertThat(replay.result().firstFailure().orElseThrow().reason())
        .endsWith("; limit: 160 MiB (167,772,160 bytes).");
    assertThat(summary.notes()).isEmpty();
  }

  /** Without the line of a free, memory in use is allocated again. */
  @Test
  void read_logsWithMissingLines_addsTheFreesThatMustHaveBeenAndSkipsOthers() throws IOException {
    Path file =
        log(
            afterRegion(
                freed("7f0000001000"),
                allocated(256, "7f0000000000"),
                allocated(512, "7f0000000000"),
                freed("7f0000000000")));
    List<String> events = new ArrayList<>();
    TraceSummary summary = read(file, events);
    assertThat(events).containsExactly("a0:256", "f0", "a1:512", "f1");
    assertThat(summary.notes())
        .containsExactly(
            "1 free is of memory that the log does not allocate, and was skipped",
            "1 free is missing: the log allocates memory that is in use, so that the free is taken"
                + " to be just before");
  }

  @Test
  void read_requestsThatFailedWithoutAReport_areSkipped() throws IOException {
    Path file =
        log(
            afterRegion(
                allocated(256, "7f0000000000"),
                "AllocateRaw GPU_0_bfc  0 0",
                "AllocateRaw GPU_0_bfc  9000000000 0",
                "AllocateRaw GPU_0_bfc  9000000000 (nil)",
                freed("7f0000000000")));
    List<String> events = new ArrayList<>();
    TraceSummary summary = read(file, events);
    assertThat(events).containsExactly("a0:256", "f0");
    assertThat(summary.notes())
        .containsExactly("2 requests failed that the program did not need, and were skipped");
  }

  /** A program that fails and starts again adds to the same file. */
  @Test
  void read_aLogOfTwoRuns_hasTheFirstOne() throws IOException {
    String created = "Creating new BFCAllocator named: GPU_0_bfc";
    Path file =
        log(
            created,
            "Creating new BFCAllocator named: GPU_1_bfc",
            REGION[0],
            REGION[1],
            allocated(256, "7f0000000000"),
            "Creating new BFCAllocator named: xla_gpu_host_bfc",
            created,
            REGION[0],
            REGION[1],
            allocated(512, "7f0000000000"));
    List<String> events = new ArrayList<>();
    TraceSummary summary = read(file, events);
    assertThat(events).containsExactly("a0:256");
    assertThat(summary.notes())
        .containsExactly("another run of the program begins at line 7, and was not read");
  }

  /** Some terminals and log collectors colour each line, and each part of it. */
  @Test
  void read_aColouredLog_hasTheSameEvents() throws IOException {
    String[] lines = afterRegion(allocated(256, "7f0000000000"), freed("7f0000000000"));
    List<String> plain = events(log(lines));
    String coloured =
        Files.readString(log(lines))
            .replaceAll("(?m)^(\\w+)", "\u001b[1;31m$1\u001b[0m")
            .replace("bfc_allocator.cc:", "\u001b[38;5;208mbfc_allocator.cc\u001b[m:")
            .replace("\n", "\u001b[0m\u001b[K\n");

    assertThat(plain).isNotEmpty();
    assertThat(events(Files.writeString(folder.resolve("job.log"), coloured))).isEqualTo(plain);
  }

  @Test
  void read_aLogWithoutACompleteAllocation_isAnError() throws IOException {
    Path file =
        log(afterRegion(freed("7f0000000000"), allocated(256, "7f0000000000") + " and more"));
    assertThatThrownBy(() -> events(file))
        .hasMessage(
            "job.log: has no allocation and no report of GPU_0_bfc, nor of another allocator; 1"
                + " line of requests is not complete");
  }

  /** A first region of 3 MiB is not the 2 MiB with which growth starts. */
  @Test
  void replay_aPreallocatedLogWithALimit_hasOneRegionOfTheLimit() throws IOException {
    Path file =
        log(
            "Extending allocation by 3.00MiB bytes for GPU_0_bfc.",
            "Allocated memory at 0x7f0000000000 to 0x7f0000300000",
            allocated(512, "7f0000000000"));
    assertThat(replay(file, OptionalLong.of(5 << 20)).result().regionBytes())
        .containsExactly(5L << 20);
    assertThat(confidence(file, OptionalLong.of(5 << 20)).reasons()).isEmpty();
  }

  @Test
  void confidence_ofGrowthWithAnotherLimit_isAnEstimate() throws IOException {
    Path file =
        log(
            afterRegion(
                allocated(2 << 20, "7f0000000000"),
                "Extending allocation by 4.00MiB bytes for GPU_0_bfc.",
                "Allocated memory at 0x7f0000400000 to 0x7f0000800000",
                allocated(512, "7f0000400000")));
    assertThat(confidence(file, OptionalLong.empty()).reasons()).isEmpty();
    assertThat(confidence(file, OptionalLong.of(1 << 30)).reasons())
        .containsExactly(
            "Of equal chunks, the allocator takes the one at the lowest address, and the addresses"
                + " of regions differ between runs.");
  }

  /** A line of the report is cut, and nothing else has the limit. */
  @Test
  void confidence_ofAFailureThatTheReplayDoesNotHave_isAnEstimate() throws IOException {
    Path file =
        log(
            afterRegion(
                allocated(1 << 20, "7f0000000000"),
                "Allocator (GPU_0_bfc) ran out of memory trying to allocate 4.00MiB (rounded to"
                    + " 4194304)requested by op f",
                "Next region of size 2097152",
                "InUse at 7f0000000000 of si",
                "AllocateRaw GPU_0_bfc  4194304 0"));
    assertThat(confidence(file, OptionalLong.empty()).reasons())
        .containsExactly(
            "1 request failed in the recording for a reason that the recording does not have.");
  }

  /**
   * The pool of two ends grows from 4 to 12 KiB within reserved addresses. Its free end and the new
   * memory merge, or else the fourth request would take the new memory whole. The last one takes a
   * hole of its end before the gap.
   *
   * <pre>
   *   0      1024   2048   3072   4096          12288
   *   | free |  2   |  1   | free |    grown    |
   * </pre>
   */
  @Test
  void replay_aPoolThatGrowsAtItsUpperEnd_hasOneLongerRegion() throws IOException {
    Path file =
        log(
            "Extending allocation by 4.0KiB bytes for GPU_0_bfc.",
            "Allocated memory at 0x7f0000000000 to 0x7f0000001000",
            allocated(1024, "7f0000000c00"),
            allocated(1024, "7f0000000800"),
            allocated(900, "7f0000000400"),
            freed("7f0000000c00"),
            "Extending allocation by 8.0KiB bytes for GPU_0_bfc.",
            "Allocated memory at 0x7f0000001000 to 0x7f0000003000",
            allocated(4500, "7f0000001e00"),
            freed("7f0000000400"),
            allocated(256, "7f0000001d00"));
    List<Placement> placements = new ArrayList<>();
    TraceReplay replay = new TraceReplay(new XlaRules(OptionalLong.empty()), placements::add);
    TraceReader.read("job.log", file, TraceOptions.strict(), replay);
    assertThat(replay.recordedAddresses()).hasValue(5);
    assertThat(replay.result().regionBytes()).containsExactly(12288L);
    assertThat(replay.changedRegions()).containsExactly(new HeldRegion(0, 12288, "", 0));
    assertThat(placements)
        .extracting(placement -> placement.spot().orElseThrow().offset())
        .containsExactly(3072L, 2048L, 1024L, 7680L, 7424L);
    assertThat(replay.result().neverFreedBytes()).isEqualTo(1024 + 4500 + 256);
    assertThat(replay.ranges())
        .extracting(range -> range.address() - 0x7f0000000000L + ":" + range.isInUse())
        .containsExactly("0:false", "2048:true", "3072:false", "7424:true", "7680:true");
    assertThat(Confidence.of(replay, new XlaRules(OptionalLong.empty())).reasons()).isEmpty();
  }

  /** The limit would permit a region of 4 MiB, which the device refuses once. */
  @Test
  void replay_aRefusalOfTheDevice_isRefusedBelowTheLimit() throws IOException {
    Path file =
        log(
            afterRegion(
                allocated(2 << 20, "7f0000000000"),
                "Allocator (GPU_0_bfc) ran out of memory trying to allocate 3.00MiB (rounded to"
                    + " 3145728)requested by op f",
                "Next region of size 2097152",
                "InUse at 7f0000000000 of size 2097152 next 18446744073709551615",
                "Summary of in-use Chunks by size:",
                "total_region_allocated_bytes_: 2097152 memory_limit_: 16777216 available bytes:"
                    + " 14680064 curr_region_allocation_bytes_: 4194304",
                "AllocateRaw GPU_0_bfc  3145728 0",
                "Extending allocation by 4.00MiB bytes for GPU_0_bfc.",
                "Allocated memory at 0x302000000 to 0x302400000",
                allocated(3 << 20, "302000000")));
    TraceReplay replay = replay(file, OptionalLong.empty());
    ReplayResult.Failure failure = replay.result().firstFailure().orElseThrow();
    assertThat(failure.verdict()).isEqualTo(OutOfMemoryVerdict.REFUSED);
    assertThat(failure.reason()).contains("limit: 16 MiB (16,777,216 bytes)");
    assertThat(replay.result().recordedFailures().reproduced()).isEqualTo(1);
    assertThat(replay.recordedAddresses()).hasValue(2);
  }

  /** A negative size is nearly 2^64 bytes. */
  @Test
  void read_aRequestNear2To64_countsAsTheLargest() throws IOException {
    Path file =
        log(
            afterRegion(
                allocated(256, "7f0000000000"),
                "Allocator (GPU_0_bfc) ran out of memory trying to allocate 17179869184.00GiB"
                    + " (rounded to 0)requested by op f",
                "AllocateRaw GPU_0_bfc  18446744073709551615 0"));
    assertThat(events(file)).containsExactly("a0:256", "x1:9223372036854775807");
  }

  /** A line of 70,000 characters, bytes that are not UTF-8, and 3 MiB before the first line. */
  @Test
  void read_outputOfOtherPrograms_isIgnored() throws IOException {
    Path file = log(afterRegion(allocated(256, "7f0000000000")));
    byte[] lines = Files.readAllBytes(file);
    byte[] other = ("x".repeat(70_000) + "\n").repeat(45).getBytes(StandardCharsets.ISO_8859_1);
    other[5] = (byte) 0xff;
    Files.write(file, other);
    Files.write(file, lines, StandardOpenOption.APPEND);
    assertThat(events(file)).containsExactly("a0:256");
    assertThat(TraceReader.isTrace(file, TraceOptions.strict())).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "'I0000 00:00:1773083052.900000   70889 ', 'I0000 00:00:1773083053.100000   70889 '",
    "'2024-12-17 10:13:53.900000: I external/xla/xla/tsl/framework/',"
        + " '2024-12-17 10:13:54.100000: I external/xla/xla/tsl/framework/'",
    "'I1231 23:59:59.900000       7 ', 'I0101 00:00:00.100000       7 '",
  })
  void read_clocksOfAllVersions_areMicroseconds(String first, String second) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("job.log"),
            first
                + "bfc_allocator.cc:1] AllocateRaw GPU_0_bfc  4 0x7f0000000000\n"
                + second
                + "bfc_allocator.cc:1] AllocateRaw GPU_0_bfc  4 0x7f0000000100\n");
    List<Long> times = new ArrayList<>();
    TraceReader.read("job.log", file, TraceOptions.strict(), event -> times.add(event.time()));
    assertThat(times).containsExactly(0L, 200_000L);
  }

  @Test
  void read_anAllocatorByItsName_isTheOnlyOneThatIsRead() throws IOException {
    Path file =
        log(
            afterRegion(
                allocated(512, "7f0000000000"),
                "Extending allocation by 2.00MiB bytes for xla_gpu_host_bfc.",
                "Allocated memory at 0x100000 to 0x300000",
                "AllocateRaw xla_gpu_host_bfc  1024 0x100000"));
    List<String> events = new ArrayList<>();
    TraceReader.read(
        "job.log",
        file,
        TraceOptions.strict().withAllocator("xla_gpu_host_bfc"),
        event -> events.add(text(event)));
    assertThat(events).containsExactly("a0:1024");
    Path csv = Files.writeString(folder.resolve("trace.csv"), "op,id,bytes,stream,t\n");
    assertThatThrownBy(() ->
            TraceReader.read(
                "trace.csv", csv, TraceOptions.strict().withAllocator("host"), event -> {}))
        .hasMessage(
            "trace.csv: does not name its allocators, expected the number of a device instead of"
                + " 'host'");
  }

  /** The first 35 s of a job on an H100, with three threads that race. */
  @Test
  void replay_ofARealLog_hasAllRecordedAddresses() throws IOException {
    TraceReplay replay =
        new TraceReplay(new XlaRules(OptionalLong.empty()), PlacementConsumer.none());
    TraceReader.read(
        "jax_growth.log.gz",
        SampleModels.folder("gpu/xla").resolve("jax_growth.log.gz"),
        TraceOptions.strict(),
        replay);
    assertThat(replay.recordedAddresses()).hasValue(replay.result().allocations());
    assertThat(replay.result().allocations()).isGreaterThan(1000);
  }
}
