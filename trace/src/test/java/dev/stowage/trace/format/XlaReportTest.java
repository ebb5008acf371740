package dev.stowage.trace.format;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.allocator.OutOfMemoryVerdict;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.testing.SampleModels;
import dev.stowage.trace.replay.AllocatorRules;
import dev.stowage.trace.replay.Confidence;
import dev.stowage.trace.replay.PlacementConsumer;
import dev.stowage.trace.replay.ReplayResult;
import dev.stowage.trace.replay.SimulatedAllocator;
import dev.stowage.trace.replay.TraceReplay;
import dev.stowage.trace.replay.XlaRules;
import dev.stowage.trace.replay.XlaSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reports of BFC allocators of XLA and TensorFlow on requests that failed. */
class XlaReportTest {

  /** Two regions: 1,024 bytes with a hole in the middle, and 512 bytes. */
  static final String REPORT =
      """
      W1126 09:00:00.000001       7 bfc_allocator.cc:501] Allocator (GPU_0_bfc) ran out of memory trying to allocate 600B (rounded to 768)requested by op jit_step
      If the cause is memory fragmentation maybe the environment variable 'TF_GPU_ALLOCATOR=cuda_malloc_async' will improve the situation.
      Current allocation summary follows.
      I1126 09:00:00.000002       7 bfc_allocator.cc:1049] BFCAllocator dump for GPU_0_bfc
      I1126 09:00:00.000003       7 bfc_allocator.cc:1085] Next region of size 1024
      I1126 09:00:00.000004       7 bfc_allocator.cc:1105] InUse at 302000000 of size 256 next 1
      I1126 09:00:00.000005       7 bfc_allocator.cc:1105] Free  at 302000100 of size 512 next 2
      I1126 09:00:00.000006       7 bfc_allocator.cc:1105] InUse at 302000300 of size 256 next 18446744073709551615
      I1126 09:00:00.000007       7 bfc_allocator.cc:1085] Next region of size 512
      I1126 09:00:00.000008       7 bfc_allocator.cc:1105] Free  at 200000000 of size 512 next 18446744073709551615
      I1126 09:00:00.000009       7 bfc_allocator.cc:1110]      Summary of in-use Chunks by size:
      I1126 09:00:00.000010       7 bfc_allocator.cc:1117] Sum Total of in-use chunks: 512B
      I1126 09:00:00.000011       7 bfc_allocator.cc:1119] Total bytes in pool: 1536 memory_limit_: 2048 available bytes: 512 curr_region_allocation_bytes_: 4194304
      I1126 09:00:00.000012       7 bfc_allocator.cc:1124] Stats:
      Limit:                          2048
      InUse:                           512
      """;

  @TempDir Path folder;

  private Path log(String text) throws IOException {
    return Files.writeString(folder.resolve("oom.log"), text);
  }

  private TraceReplay replay(Path file, List<String> notes) throws IOException {
    TraceReplay replay =
        new TraceReplay(new XlaRules(OptionalLong.empty()), PlacementConsumer.none());
    notes.addAll(TraceReader.read("oom.log", file, TraceOptions.strict(), replay).notes());
    return replay;
  }

  private String reason(String text) throws IOException {
    return replay(log(text), new ArrayList<>()).result().firstFailure().orElseThrow().reason();
  }

  @Test
  void replay_aReport_startsWithItsMemoryAndRefusesTheRequest() throws IOException {
    List<String> notes = new ArrayList<>();
    TraceReplay replay = replay(log(REPORT), notes);
    assertThat(replay.result().firstFailure().orElseThrow().reason())
        .isEqualTo(
            "allocator 'replay' is out of memory: 768 bytes requested. Enough bytes are free, but no"
                + " hole is large enough: of 1 KiB, the largest free chunk has 512 bytes, 256 bytes too"
                + " few. The request would have passed with garbage collection of free regions, or"
                + " with a limit higher by 256 bytes, or without allocation 1 of 256 bytes. In use: 512"
                + " bytes; reserved: 1.5 KiB; limit: 2 KiB (2,048 bytes).");
    assertThat(replay.result().failures()).isEqualTo(1);
    assertThat(replay.heldBlocks()).isEqualTo(2);
    assertThat(replay.ranges())
        .extracting(range -> range.address() + ":" + range.isInUse())
        .containsExactly(
            "8589934592:false", "12918456320:true", "12918456576:false", "12918457088:true");
    assertThat(notes).hasSize(1);
    assertThat(notes.getFirst()).startsWith("a report has chunks, not requests");
  }

  /** Reports of TensorFlow in 2018 have other words and no rounded size. */
  @Test
  void replay_anOldReport_isUnderstood() throws IOException {
    assertThat(
            reason(
                """
                2018-09-27 22:58:41.0: W tensorflow/core/common_runtime/bfc_allocator.cc:275] Allocator (GPU_0_bfc) ran out of memory trying to allocate 3.0KiB.  Current allocation summary follows.
                2018-09-27 22:58:41.992038: I tensorflow/core/common_runtime/bfc_allocator.cc:645] Next region of size 2048
                2018-09-27 22:58:41.992039: I tensorflow/core/common_runtime/bfc_allocator.cc:645] Chunk at 0x7f94a939ca00 of size 1024
                2018-09-27 22:58:41.992039: I tensorflow/core/common_runtime/bfc_allocator.cc:645] Free  at 0x7f94a939ce00 of size 1024
                2018-09-27 22:58:41.992040: I tensorflow/core/common_runtime/bfc_allocator.cc:671]      Summary of in-use Chunks by size:
                Limit:                  2048
                """))
        .contains("3 KiB (3,072 bytes) requested", "In use: 1 KiB;", "limit: 2 KiB (2,048 bytes)");
  }

  /** Reports of 2026 have tags, annotations and totals in other words. */
  @Test
  void replay_aReportOfTwoEnds_countsHolesOfTheOtherEndAsInUse() throws IOException {
    List<String> notes = new ArrayList<>();
    TraceReplay replay =
        replay(
            log(
                """
                W0000 00:00:1773083052.386377   70889 bfc_allocator.cc:501] Allocator (GPU_0_bfc) ran out of memory trying to allocate 512B (rounded to 512) from the lower end requested by op jit_step
                I0000 00:00:1773083052.386378   70889 bfc_allocator.cc:1085] Next region of size 2048
                I0000 00:00:1773083052.386379   70889 bfc_allocator.cc:1105] InUse at 302000000 of size 768 tag lower allocation_annotation step{module=jit_step} / layer next 1
                I0000 00:00:1773083052.386380   70889 bfc_allocator.cc:1105] Free  at 302000300 of size 256 tag lower next 2
                I0000 00:00:1773083052.386381   70889 bfc_allocator.cc:1105] InUse at 302000400 of size 256 tag upper next 3
                I0000 00:00:1773083052.386382   70889 bfc_allocator.cc:1105] Free  at 302000500 of size 768 tag upper next 18446744073709551615
                I0000 00:00:1773083052.386383   70889 bfc_allocator.cc:1110]      Summary of in-use Chunks by size:
                I0000 00:00:1773083052.386384   70889 bfc_allocator.cc:1120] Allocator region growth hint: next region allocation target 4.0KiB (growth disabled; fixed-size pool; not an attempted allocation).
                Limit:                          2048
                """),
            notes);
    assertThat(replay.result().firstFailure().orElseThrow().reason())
        .contains("In use: 1.75 KiB; reserved: 2 KiB;");
    assertThat(notes)
        .contains(
            "free chunks of the other end, which the request cannot use, count as in use: 768"
                + " bytes");
  }

  @Test
  void replay_aRefusalOfTheDevice_isRefusedBelowTheLimit() throws IOException {
    List<String> notes = new ArrayList<>();
    TraceReplay replay = replay(log(REPORT.replace("2048", "999424")), notes);
    ReplayResult.Failure failure = replay.result().firstFailure().orElseThrow();
    assertThat(failure.verdict()).isEqualTo(OutOfMemoryVerdict.REFUSED);
    assertThat(failure.reason())
        .contains(
            "limit: 976 KiB (999,424 bytes)",
            "The device refused 974.5 KiB (997,888 bytes) and smaller regions down to 768 bytes, which the"
                + " limit permits")
        .doesNotContain("limit higher");
    assertThat(notes).hasSize(1);
    assertThat(replay.result().recordedFailures().reproduced()).isEqualTo(1);
    assertThat(replay.allocator().allocate(768, 0, 0)).isNotEqualTo(SimulatedAllocator.REFUSED);
  }

  @Test
  void replay_aRequestThatWrappedAround_isRefusedAsTheLargest() throws IOException {
    List<String> notes = new ArrayList<>();
    TraceReplay replay =
        replay(
            log(REPORT.replace("600B (rounded to 768)", "17179869184.00GiB (rounded to 0)")),
            notes);
    ReplayResult.Failure failure = replay.result().firstFailure().orElseThrow();
    assertThat(failure.request().bytes()).isEqualTo(Long.MAX_VALUE);
    assertThat(failure.verdict()).isEqualTo(OutOfMemoryVerdict.DOES_NOT_FIT);
    assertThat(replay.result().failures()).isEqualTo(1);
    assertThat(notes)
        .contains(
            "the size of the request, 17179869184.00GiB, wrapped around when it was rounded; it"
                + " counts as 2^63 - 1 bytes");
  }

  /** The rows of a report of 2,048 bytes in the spellings of TensorFlow and XLA since 2017. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Next region of size 2048\nInUse at 7f94a939ca00 of size 1024 next 2\nFree  at 7f94a939ce00 of"
            + " size 1024 next 18446744073709551615",
        "Next region of size 2048\nInUse at 0x7f94a939ca00 next 3 of size 1024\nFree  at"
            + " 0x7f94a939ce00 next 18446744073709551615 of size 1024",
        "Next region of size 2048\nInUse at 0x7f94a939ca00 of size 1024 next 3\nFree  at"
            + " 0x7f94a939ce00 of size 1024 next 18446744073709551615",
        "Chunk at 0x7f94a939ca00 of size 1024\nFree  at 0x7f94a939ce00 of size 1024",
        "Chunk at 0x7f94a939ca00\rof size 1024\nFree at 0x7f94a939ce00\rof size 1024",
      })
  void replay_anySpellingOfChunks_isUnderstood(String chunks) throws IOException {
    String line =
        "2018-09-27 22:58:41.992038: I tensorflow/core/common_runtime/bfc_allocator.cc:645] ";
    String text =
        line
            + "Allocator (GPU_0_bfc) ran out of memory trying to allocate 3.0KiB (rounded to 3072)\n"
            + line
            + chunks.replace("\n", "\n" + line).replace("\r", "\n")
            + "\n"
            + line
            + "     Summary of in-use Chunks by size:\nLimit:                  2048\n";
    TraceReplay replay = replay(log(text), new ArrayList<>());
    assertThat(replay.result().firstFailure().orElseThrow().reason())
        .contains("3 KiB (3,072 bytes) requested", "In use: 1 KiB;", "limit: 2 KiB (2,048 bytes)");
    assertThat(replay.ranges())
        .extracting(range ->
            range.address() - 0x7f94a939ca00L + ":" + range.bytes() + ":" + range.isInUse())
        .containsExactly("0:1024:true", "1024:1024:false");
  }

  /** TensorFlow until 1.13 lists the chunks of all regions without a line for each region. */
  @Test
  void replay_chunksWithoutRegions_areRegionsOfNeighbours() throws IOException {
    String text =
        REPORT
            .lines()
            .filter(line -> !line.contains("Next region"))
            .collect(joining("\n", "", "\n"));
    TraceReplay replay = replay(log(text), new ArrayList<>());
    assertThat(replay.result().regionBytes()).containsExactly(512L, 1024L);
    assertThat(reasons(log(text), new XlaRules(OptionalLong.empty())))
        .containsExactly(
            "The report does not have the regions: neighbouring chunks count as one region.");
  }

  /** The tail of a list that was pasted: tensorflow#61168. */
  @Test
  void replay_theTailOfAList_hasItsHolesAndNoRequest() throws IOException {
    String line = "2023-07-20 10:00:00.000026: I tensorflow/tsl/framework/bfc_allocator.cc:1090] ";
    String text =
        """
        InUse at 7fa140385100 of size 47710208 next 1
        Free  at 7fa143105100 of size 23593216 next 2
        InUse at 7fa144785200 of size 46874368 next 3
        InUse at 7fa147439100 of size 165888000 next 4
        Free  at 7fa15126d100 of size 208183296 next 5
        InUse at 7fa15d8f7100 of size 104091648 next 6
        Free  at 7fa163c3c100 of size 977551104 next 18446744073709551615
        """
            .replaceAll("(?m)^", line);
    TraceReplay replay = replay(log(text), new ArrayList<>());
    assertThat(replay.result().failures()).isZero();
    assertThat(replay.use().freeBytes()).isEqualTo(1_209_327_616);
    assertThat(replay.use().largestFreeBytes()).isEqualTo(977_551_104);
    assertThat(reasons(log(text), new XlaRules(OptionalLong.empty())))
        .containsExactly(
            "The log lacks the start of the report: the request that failed is not known, and there"
                + " may be chunks before line 1.",
            "The report does not have the regions: neighbouring chunks count as one region.",
            "The report is cut behind line 7, and the limit is not known, so that the held bytes"
                + " count as the limit.");
  }

  /** Line 1 of the log names the limit, which the lines that are missing would have, too. */
  @Test
  void replay_aReportThatIsCutBehindItsChunks_hasTheLimitOfTheBackend() throws IOException {
    String cut = REPORT.substring(0, REPORT.indexOf("I1126 09:00:00.000011"));
    String backend =
        "I1126 09:00:00.000000       1 gpu_helpers.cc:136] XLA backend will use up to 2048 bytes on"
            + " device 0 for BFCAllocator.\n";
    List<String> notes = new ArrayList<>();
    TraceReplay replay = replay(log(backend + cut), notes);
    assertThat(replay.result().firstFailure().orElseThrow().reason())
        .contains("limit: 2 KiB (2,048 bytes)", "with a limit higher by 256 bytes");
    assertThat(reasons(log(backend + cut), new XlaRules(OptionalLong.empty())))
        .containsExactly(
            "The report is cut behind line 13: its chunks are complete, and the limit is from an"
                + " earlier line.");
    assertThat(notes)
        .contains(
            "the report is cut behind line 13: its chunks are complete, and the limit is from an"
                + " earlier line");
    assertThat(reasons(log(cut), new XlaRules(OptionalLong.empty())))
        .containsExactly(
            "The report is cut behind line 12: its chunks are complete, and the limit is not known,"
                + " so that the held bytes count as the limit.");
  }

  /** JAX hides the chunks by default. */
  @Test
  void read_aReportWithoutChunks_namesTheVariableThatPrintsThem() throws IOException {
    Path file =
        log(
            """
            2024-05-28 07:02:44.349554: W external/tsl/tsl/framework/bfc_allocator.cc:482] Allocator (GPU_0_bfc) ran out of memory trying to allocate 1.97GiB (rounded to 2110783744)requested by op\s
            2024-05-28 07:02:44.350162: W external/tsl/tsl/framework/bfc_allocator.cc:494] ***__***
            E0528 07:02:44.350251   27487 pjrt_stream_executor_client.cc:2826] Execution of replica 0 failed: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 2110783616 bytes.
            BufferAssignment stats:
                         parameter allocation:    1.02GiB
                 preallocated temp allocation:    1.97GiB
              preallocated temp fragmentation:         0B (0.00%)
                             total allocation:    7.88GiB
            """);
    assertThatThrownBy(() -> replay(file, new ArrayList<>()))
        .hasMessage(
            "oom.log: line 1: starts a report that is not complete: it has no list of chunks, which"
                + " programs print only with TF_CPP_MIN_LOG_LEVEL=0 (JAX sets 1); a request for"
                + " 2,110,783,744 bytes failed; the program needs these buffers: parameter 1.02GiB,"
                + " preallocated temp 1.97GiB, total 7.88GiB; expected all lines from 'ran out of"
                + " memory' to 'Stats'");
  }

  @ParameterizedTest
  @CsvSource({
    "tensorflow/core/common_runtime/, TENSORFLOW",
    "external/local_xla/xla/tsl/framework/, TENSORFLOW",
    "external/xla/xla/tsl/framework/, JAX",
    "external/tsl/tsl/framework/, JAX",
    "external/org_tensorflow/tensorflow/core/common_runtime/, JAX",
    "xla/tsl/framework/, JAX",
    "'', JAX",
    "tsl/framework/, JAX_OR_TENSORFLOW",
  })
  void read_aReport_namesItsProgram(String folder, TraceProgram program) throws IOException {
    Path file = log(REPORT.replace("bfc_allocator.cc", folder + "bfc_allocator.cc"));
    assertThat(TraceReader.read("oom.log", file, TraceOptions.strict(), event -> {}).program())
        .isEqualTo(program);
  }

  @Test
  void read_linesOfOtherFiles_decideTheProgram() throws IOException {
    Path file =
        log(
            REPORT
                + "2025-07-31 20:22:43.0: W tensorflow/core/framework/op_kernel.cc:1753] OP_REQUIRES\n");
    assertThat(TraceReader.read("oom.log", file, TraceOptions.strict(), event -> {}).program())
        .isEqualTo(TraceProgram.TENSORFLOW);
  }

  /** The hole at the end of the one region, 256 bytes, has 256 more with each 256 of the limit. */
  @ParameterizedTest
  @CsvSource({"1024, 1", "1279, 1", "1280, 0", "2048, 0", "512, 1"})
  void replay_aReportOfOneRegionWithAnotherLimit_hasALongerRegion(long limit, int failures)
      throws IOException {
    Path file =
        log(
            """
            W1126 09:00:00.000001       7 bfc_allocator.cc:501] Allocator (GPU_0_bfc) ran out of memory trying to allocate 512B (rounded to 512)
            I1126 09:00:00.000002       7 bfc_allocator.cc:1085] Next region of size 1024
            I1126 09:00:00.000003       7 bfc_allocator.cc:1105] InUse at 302000000 of size 768 next 1
            I1126 09:00:00.000004       7 bfc_allocator.cc:1105] Free  at 302000300 of size 256 next 18446744073709551615
            I1126 09:00:00.000005       7 bfc_allocator.cc:1110]      Summary of in-use Chunks by size:
            Limit:                          1024
            """);
    TraceReplay replay =
        new TraceReplay(new XlaRules(OptionalLong.of(limit)), PlacementConsumer.none());
    TraceReader.read("oom.log", file, TraceOptions.strict(), replay);
    assertThat(replay.result().failures()).isEqualTo(failures);
    assertThat(replay.result().regionBytes()).containsExactly(Math.max(1024, limit & -256));
  }

  @Test
  void confidence_ofAReport_isExactOnlyForTheRecordedAllocator() throws IOException {
    Path file = log(REPORT);
    assertThat(reasons(file, new XlaRules(OptionalLong.empty()))).isEmpty();
    assertThat(reasons(file, XlaSettings.defaults().rules(OptionalLong.of(1 << 20))))
        .containsExactly(
            "The report does not have the requests before it, which might have had other"
                + " addresses.");
  }

  private static List<String> reasons(Path file, AllocatorRules rules) throws IOException {
    TraceReplay replay = new TraceReplay(rules, PlacementConsumer.none());
    TraceReader.read("oom.log", file, TraceOptions.strict(), replay);
    return Confidence.of(replay, rules).reasons();
  }

  @Test
  void read_aReport_passesItsChunksWithTheirOperators() throws IOException {
    Path file =
        log(
            REPORT.replace(
                "size 256 next 1\n", "size 256 by op model/dense action_count 5 step 0 next 1\n"));
    List<String> tags = new ArrayList<>();
    TraceReader.read(
        "oom.log",
        file,
        TraceOptions.strict(),
        event -> {
          if (event instanceof AllocationEvent.Allocate chunk) {
            tags.add(chunk.tag());
          }
        });
    assertThat(tags).containsExactly("model/dense", "");
  }

  @Test
  void read_aFailureThatTheProgramDoesNotNeed_isNotTheOneOfTheReport() throws IOException {
    String unneeded =
        REPORT.replace("rounded to 768", "rounded to 1280")
            + """
            W1126 09:00:00.000013       7 bfc_allocator.cc:310] Allocator (GPU_0_bfc) ran out of memory trying to allocate 1.2KiB with freed_by_count=0. The caller indicates that this is not a failure, but this may mean that there could be performance gains if more memory were available.
            """;
    assertThat(reason(unneeded + REPORT)).contains(": 768 bytes requested.");
    assertThat(reason(unneeded)).contains(": 1.25 KiB (1,280 bytes) requested.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "of size 512 next 2|of si|a line with a chunk is not complete",
        "302000300 of size 256|302000400 of size 256|the chunk at 0x302000400 does not follow the"
            + " one before it",
        "Next region of size 1024|Next region of size 1280|the chunks of a region have 1024 of its"
            + " 1280 bytes",
        "Next region of size 1024|Next region of size 512|the chunk at 0x302000100 does not follow"
            + " the one before it",
        "Next region of size 1024|Next region of size 1x|a line with a region is not complete",
        "bytes in pool: 1536|bytes in pool: 9728|the regions have 1536 of the 9728 bytes of the pool",
      })
  void read_aReportThatIsNotComplete_isAnErrorWithItsPlace(
      String text, String damaged, String problem) throws IOException {
    Path file = log("a line of another program\n" + REPORT.replace(text, damaged));
    assertThatThrownBy(() -> replay(file, new ArrayList<>()))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            "oom.log: line 2: starts a report that is not complete: "
                + problem
                + "; expected all lines from 'ran out of memory' to 'Stats'");
  }

  /** The report with all statistics on its chunks. */
  private static final String STATISTICS =
      REPORT
              .replace(
                  "dump for GPU_0_bfc\n",
                  """
                  dump for GPU_0_bfc
                  I1126 09:00:00.000002       7 bfc_allocator.cc:1062] Bin (256): \tTotal Chunks: 2, Chunks in use: 2. 512B allocated for chunks. 512B in use in bin. 500B client-requested in use in bin.
                  I1126 09:00:00.000002       7 bfc_allocator.cc:1062] Bin (512): \tTotal Chunks: 2, Chunks in use: 0. 1.0KiB allocated for chunks. 0B in use in bin. 0B client-requested in use in bin.
                  I1126 09:00:00.000002       7 bfc_allocator.cc:1062] Bin (1024): \tTotal Chunks: 0, Chunks in use: 0. 0B allocated for chunks. 0B in use in bin. 0B client-requested in use in bin.
                  """)
              .replace(
                  "Chunks by size:\n",
                  """
                  Chunks by size:
                  I1126 09:00:00.000009       7 bfc_allocator.cc:1113] 2 Chunks of size 256 totalling 512B
                  """)
          + "MaxInUse:                        512\n";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "InUse:                           512|InUse:                           768|the chunks in use"
            + " have 512 bytes, and the statistics 768",
        "MaxInUse:                        512|MaxInUse:                        256|the chunks in use"
            + " have 512 bytes, and the statistics at most 256",
        "in-use chunks: 512B|in-use chunks: 1.50KiB|the listed chunks in use have 512 bytes, and the"
            + " report counts 1.50KiB",
        "2 Chunks of size 256|3 Chunks of size 256|2 chunks in use of 256 bytes are listed, and the"
            + " report counts 3",
        "256 totalling 512B|256 totalling 768B|the listed chunks in use of 256 bytes have 512 bytes,"
            + " and the report counts 768B",
        "of size 256 totalling|of size 1280 totalling|0 chunks in use of 1280 bytes are listed, and"
            + " the report counts 2",
        "Chunks: 2, Chunks in use: 0|Chunks: 3, Chunks in use: 0|2 chunks in the bin of 512 bytes are"
            + " listed, and the report counts 3",
        "Chunks: 2, Chunks in use: 2|Chunks: 2, Chunks in use: 1|2 chunks in use in the bin of 256"
            + " bytes are listed, and the report counts 1",
        "1.0KiB allocated|1.5KiB allocated|the listed chunks in the bin of 512 bytes have 1024 bytes,"
            + " and the report counts 1.5KiB",
        "512B in use in bin|256B in use in bin|the listed chunks in use in the bin of 256 bytes have"
            + " 512 bytes, and the report counts 256B",
      })
  void read_aStatisticThatContradictsTheChunks_isAnError(
      String text, String changed, String problem) throws IOException {
    assertThat(reason(STATISTICS)).contains("In use: 512 bytes;");
    Path file = log(STATISTICS.replace(text, changed));
    assertThatThrownBy(() -> replay(file, new ArrayList<>()))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            "oom.log: line 1: starts a report that is not complete: "
                + problem
                + "; expected all lines from 'ran out of memory' to 'Stats'");
  }

  /** Reports of TensorFlow 1 do not have the bytes of the pool. */
  @Test
  void read_aReportThatLacksARegion_isAnErrorByItsStatistics() throws IOException {
    String withoutPool = REPORT.replaceFirst(".*Total bytes in pool.*\n", "");
    Path file = log(withoutPool.replaceAll(".* of size 1024\n.*\n.*\n.*\n", ""));
    assertThat(Files.readString(file)).contains("of size 512").doesNotContain("of size 256");
    assertThatThrownBy(() -> replay(file, new ArrayList<>()))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining(
            "the listed chunks in use have 0 bytes, and the report counts 512B; expected");
    assertThat(reason(withoutPool)).contains("In use: 512 bytes;");
  }

  /** The contradictions of every region that a report of a real job may lack. */
  @ParameterizedTest
  @ValueSource(strings = {"", "Total bytes in pool", "Sum Total", "totalling", "InUse: ", "Bin ("})
  void read_aRealReportThatLacksARegion_isAnError(String alsoAbsent) throws IOException {
    List<String> lines = Files.readAllLines(SampleModels.examples().resolve("jax/oom.log"));
    if (!alsoAbsent.isEmpty()) {
      lines.removeIf(line -> line.contains(alsoAbsent));
    }
    assertThat(reason(String.join("\n", lines) + "\n")).contains("In use: 181.3 MiB;");
    int region = 0;
    while (region < lines.size()) {
      int end = region + 1;
      if (lines.get(region).contains("Next region of size")) {
        while (lines.get(end).contains(" at ")) {
          end++;
        }
        boolean isFree =
            lines.subList(region + 1, end).stream().allMatch(line -> line.contains("Free"));
        if (isFree && alsoAbsent.equals("Total bytes in pool")) {
          break; // only the bytes of the pool, and bins, count free chunks
        }
        List<String> others = new ArrayList<>(lines);
        others.subList(region, end).clear();
        Path file = log(String.join("\n", others) + "\n");
        assertThatThrownBy(() -> replay(file, new ArrayList<>()))
            .as("without line %d", region + 1)
            .isInstanceOf(MalformedFileException.class)
            .hasMessageContaining("starts a report that is not complete: ");
      }
      region = end;
    }
  }

  @Test
  void read_aReportThatIsCut_isAnError() throws IOException {
    Path file = log(REPORT.substring(0, REPORT.indexOf("Summary of in-use")));
    assertThatThrownBy(() -> replay(file, new ArrayList<>()))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining(
            "line 1: starts a report that is not complete: it is cut behind line 11, in the list of"
                + " chunks; a request for 768 bytes failed, and 2 chunks in use with 512 bytes and 2"
                + " free chunks with 1,024 bytes, the largest of them with 512, are listed until"
                + " there; expected");
    assertThat(reason(REPORT.replace("Summary of in-use", "Summ"))).contains("In use: 512 bytes;");
  }

  @Test
  void read_linesOfOtherThreads_areNotPartOfTheReport() throws IOException {
    assertThat(
            reason(
                REPORT.replace(
                    "I1126 09:00:00.000005",
                    """
                    I1126 09:00:00.000005       8 bfc_allocator.cc:1085] Next region of size 77
                    I1126 09:00:00.000005\
                    """)))
        .contains("In use: 512 bytes;");
  }

  /** The other report begins before the statistics of the first one. */
  @Test
  void read_statistics_belongToTheThreadBeforeThem() throws IOException {
    String other =
        REPORT
            .replace("       7 bfc", "       8 bfc")
            .replace("GPU_0", "GPU_1")
            .replace("2048", "9");
    int statistics = REPORT.indexOf("I1126 09:00:00.000012");
    assertThat(
            reason(
                REPORT.substring(0, statistics).replace("2048", "0")
                    + other.substring(0, other.indexOf("I1126 09:00:00.000012"))
                    + REPORT.substring(statistics)))
        .endsWith("; limit: 2 KiB (2,048 bytes).");
  }

  @Test
  void read_aReportOfAnotherAllocator_namesIt() throws IOException {
    Path file = log(REPORT.replace("GPU_0_bfc", "gpu_host_bfc"));
    assertThatThrownBy(() -> replay(file, new ArrayList<>()))
        .hasMessage(
            "oom.log: has no allocation and no report of GPU_0_bfc, expected one of these"
                + " allocators for --device: gpu_host_bfc");
    TraceReplay replay =
        new TraceReplay(new XlaRules(OptionalLong.empty()), PlacementConsumer.none());
    TraceReader.read("oom.log", file, TraceOptions.strict().withAllocator("gpu_host_bfc"), replay);
    assertThat(replay.result().failures()).isEqualTo(1);
  }
}
