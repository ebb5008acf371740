package dev.stowage.trace.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.trace.replay.AllocatorRules;
import dev.stowage.trace.replay.Confidence;
import dev.stowage.trace.replay.PlacementConsumer;
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
  void replay_aRefusalOfTheDevice_hasTheHeldBytesAsLimit() throws IOException {
    List<String> notes = new ArrayList<>();
    TraceReplay replay = replay(log(REPORT.replace("2048", "999424")), notes);
    assertThat(replay.result().firstFailure().orElseThrow().reason())
        .endsWith("; limit: 1.5 KiB (1,536 bytes).");
    assertThat(notes)
        .contains(
            "the device refused memory below the limit of the allocator, so that the limit is what"
                + " it held, 1,536 bytes: other programs or libraries hold the rest");
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

  @Test
  void read_aReportThatIsCut_isAnError() throws IOException {
    Path file = log(REPORT.substring(0, REPORT.indexOf("Summary of in-use")));
    assertThatThrownBy(() -> replay(file, new ArrayList<>()))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining(
            "line 1: starts a report that is not complete: the summary of chunks in use is"
                + " missing");
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
