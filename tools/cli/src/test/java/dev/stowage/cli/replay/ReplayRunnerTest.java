package dev.stowage.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.pages.history.HistoryRecorder;
import dev.stowage.pages.history.PlacedChunk;
import dev.stowage.pages.history.ReplayHistory;
import dev.stowage.pages.history.ReplayHistory.RegionExtent;
import dev.stowage.pages.history.ReplayHistory.RequestFailure;
import dev.stowage.pages.history.Steps;
import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.format.TraceOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReplayRunnerTest {

  @TempDir private Path folder;

  private ReplayReport run(BfcOptions options, boolean keepsHistory, String events)
      throws IOException {
    Path trace = Files.writeString(folder.resolve("t.csv"), "op,id,bytes,stream,t\n" + events);
    return new ReplayRunner(
            TraceOptions.strict(),
            (_, _) -> ReplayedAllocator.bfc("", options),
            keepsHistory,
            keepsHistory,
            false,
            OptionalLong.empty())
        .run(trace.toString());
  }

  private ReplayHistory history(BfcOptions options, String events) throws IOException {
    return run(options, true, events).details().history().orElseThrow();
  }

  private static List<String> steps(Steps<Long> curve) {
    return curve.steps().stream().map(step -> step.event() + ":" + step.value()).toList();
  }

  private static PlacedChunk chunk(
      String id, long bytes, long chunkBytes, long offset, long first, long end, long stream) {
    return new PlacedChunk(
        new AllocationEvent.Allocate(id, bytes, stream, first - 1),
        chunkBytes,
        0,
        offset,
        first,
        end);
  }

  /*
   * One region of 1024 bytes: a gets [0, 256), b gets [256, 768), c fails, and d gets the bytes of a.
   */
  @Test
  void run_oneRegion_hasWhatAPictureShows() throws IOException {
    ReplayHistory history =
        history(
            BfcOptions.oneRegion(1024).withSplitThreshold(256),
            "a,a,100,3,0\na,b,400,4,1\nf,a,,3,2\na,c,512,4,3\na,z,0,0,4\na,d,256,3,5\nf,b,,4,6\n");

    assertThat(history.events().count()).isEqualTo(7);
    assertThat(history.drawn().chunks())
        .containsExactly(
            chunk("a", 100, 256, 0, 1, 3, 3),
            chunk("b", 400, 512, 256, 2, 7, 4),
            chunk("d", 256, 256, 0, 6, 8, 3));
    assertThat(history.drawn().skippedCount()).isZero();
    assertThat(history.failures())
        .containsExactly(new RequestFailure(new AllocationEvent.Allocate("c", 512, 4, 3), 4));
    assertThat(history.regions()).hasSize(1);
    assertThat(steps(history.regions().getFirst().bytes())).containsExactly("1:1024");
    assertThat(steps(history.curves().reservedBytes())).containsExactly("1:1024");
    assertThat(steps(history.curves().bytesInUse()))
        .containsExactly("1:256", "2:768", "3:512", "6:768", "7:256");
    assertThat(steps(history.curves().requestedBytes()))
        .containsExactly("1:100", "2:500", "3:400", "6:656", "7:256");
  }

  @Test
  void run_regionsGivenBack_haveTheirTimes() throws IOException {
    ReplayHistory history =
        history(
            BfcOptions.growing().withFirstRegion(1024).withLimit(6144).withGarbageCollection(),
            "a,a,1024,,\na,b,2048,,\nf,a,,,\na,c,4096,,\n");

    assertThat(history.regions()).map(RegionExtent::index).containsExactly(0, 1, 2);
    assertThat(steps(history.regions().get(0).bytes())).containsExactly("1:1024", "4:0");
    assertThat(steps(history.regions().get(1).bytes())).containsExactly("2:2048");
    assertThat(steps(history.regions().get(2).bytes())).containsExactly("4:4096");
    assertThat(steps(history.curves().reservedBytes()))
        .containsExactly("1:1024", "2:3072", "4:6144");
  }

  @Test
  void run_expandableRegion_hasItsExtents() throws IOException {
    ReplayHistory history =
        history(
            BfcOptions.expandable().withTrimThreshold(1),
            "a,a,1024,,\na,b,4096,,\nf,b,,,\nf,a,,,\na,c,256,,\n");

    assertThat(history.regions()).map(RegionExtent::index).containsExactly(0);
    assertThat(steps(history.regions().getFirst().bytes()))
        .containsExactly("1:1024", "2:5120", "3:1024", "4:0", "5:256");
  }

  @Test
  void run_manyFailures_keepsTheFirst() throws IOException {
    StringBuilder events = new StringBuilder();
    for (int i = 0; i < HistoryRecorder.MAX_FAILURES + 5; i++) {
      events.append("a,").append(i).append(",2048,,\n");
    }
    ReplayReport report = run(BfcOptions.oneRegion(1024), true, "" + events);

    assertThat(report.result().failures()).isEqualTo(HistoryRecorder.MAX_FAILURES + 5);
    assertThat(report.details().history().orElseThrow().failures())
        .hasSize(HistoryRecorder.MAX_FAILURES)
        .first()
        .isEqualTo(new RequestFailure(new AllocationEvent.Allocate("0", 2048, 0, 0), 1));
  }

  @Test
  void run_noDataRequested_keepsNothing() throws IOException {
    ReplayReport report = run(BfcOptions.growing(), false, "a,a,1,,\n");

    assertThat(report.details().history()).isEmpty();
    assertThat(report.details().placements()).isEmpty();
    assertThat(report.result()).isEqualTo(run(BfcOptions.growing(), true, "a,a,1,,\n").result());
  }

  @Test
  void run_noEvents_isEmpty() throws IOException {
    ReplayHistory history = history(BfcOptions.growing(), "");

    assertThat(history.events().count()).isZero();
    assertThat(history.drawn().chunks()).isEmpty();
    assertThat(history.regions()).isEmpty();
    assertThat(history.curves().reservedBytes().steps()).isEmpty();
  }
}
