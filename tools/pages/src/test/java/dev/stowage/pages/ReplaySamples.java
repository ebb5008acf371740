package dev.stowage.pages;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.pages.history.HistoryRecorder;
import dev.stowage.pages.history.PlacedChunk;
import dev.stowage.pages.history.ReplayHistory;
import dev.stowage.pages.history.ReplayHistory.RequestFailure;
import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.format.TraceReader;
import dev.stowage.trace.replay.AllocatorRules;
import dev.stowage.trace.replay.TraceReplay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/** Replays for tests. */
final class ReplaySamples {

  static final int MIB = 1 << 20;

  /** A stack with markup, a change of text direction, and a control character in its frames. */
  static final List<String> FRAMES =
      List.of(
          "at::_ops::mul_Tensor",
          "forward at /a/very/long/path/to/model.py:12",
          Samples.HOSTILE + "\u202E\u0007\n at /x/y/</script>.py:1");

  private ReplaySamples() {}

  /*
   * One region of 4 MiB, in which rests below 1 MiB stay unsplit. b gets more bytes than it requested, c
   * fails, and d gets the bytes of a:
   *
   *   4 MiB  +---------------------------+
   *          |       |                   |
   *          |       | b (2.5 of 3 MiB)  |
   *   1 MiB  +---------------+-----------+
   *          |   a   |       |   d       |
   *   events 1       2   3 4 5           7
   */
  static ReplayMap oneRegion(Path folder) throws IOException {
    ReplayMap picture =
        of(
            folder,
            BfcOptions.oneRegion(4 * MIB).withSplitThreshold(MIB),
            "a,a,1048576,3,0\na,b,2621440,3,0\nf,a,,3,0\na,c,2097152,4,0\na,d,1048576,3,0\nf,d,,3,0\n");
    ReplayHistory history = picture.history();
    List<PlacedChunk> chunks =
        history.drawn().chunks().stream()
            .map(chunk -> chunk.request().id().equals("b") ? renamed(chunk) : chunk)
            .toList();
    RequestFailure failed = history.failures().getFirst();
    List<RequestFailure> failures =
        List.of(
            new RequestFailure(renamed(failed.request(), Samples.HOSTILE, FRAMES), failed.event()));
    return new ReplayMap(
        new ReplayHistory(
            history.events(),
            new ReplayHistory.Drawn(chunks, history.drawn().skippedCount()),
            failures,
            history.regions(),
            history.curves(),
            history.parts()));
  }

  private static PlacedChunk renamed(PlacedChunk chunk) {
    return new PlacedChunk(
        renamed(chunk.request(), Samples.HOSTILE, FRAMES),
        chunk.chunkBytes(),
        chunk.regionIndex(),
        chunk.offset(),
        chunk.firstEvent(),
        chunk.endEvent());
  }

  private static AllocationEvent.Allocate renamed(
      AllocationEvent.Allocate request, String id, List<String> frames) {
    return new AllocationEvent.Allocate(
        id, request.bytes(), request.stream(), request.time(), frames, request.tag());
  }

  /** A picture that leaves out chunks. */
  static ReplayMap skipping(ReplayMap picture, long skippedChunks) {
    return withChunks(picture, picture.history().drawn().chunks(), skippedChunks);
  }

  /** A picture that leaves out the last chunks. */
  static ReplayMap withoutLast(ReplayMap picture, int count) {
    List<PlacedChunk> chunks = picture.history().drawn().chunks();
    return withChunks(picture, chunks.subList(0, chunks.size() - count), count);
  }

  private static ReplayMap withChunks(
      ReplayMap picture, List<PlacedChunk> chunks, long skippedChunks) {
    ReplayHistory history = picture.history();
    return new ReplayMap(
        new ReplayHistory(
            history.events(),
            new ReplayHistory.Drawn(chunks, skippedChunks),
            history.failures(),
            history.regions(),
            history.curves(),
            history.parts()));
  }

  /** Regions of 1, 2 and 4 KiB, the first of which is returned. */
  static ReplayMap growing(Path folder) throws IOException {
    return of(
        folder,
        BfcOptions.growing().withFirstRegion(1024).withLimit(6144).withGarbageCollection(),
        "a,a,1024,,\na,b,2048,,\nf,a,,,\na,c,4096,,\n");
  }

  static ReplayMap random(Path folder, int eventCount) throws IOException {
    Random random = new Random(1);
    StringBuilder events = new StringBuilder();
    int[] live = new int[200];
    int liveCount = 0;
    int count = 0;
    for (int i = 0; i < eventCount; i++) {
      if (liveCount == live.length || (liveCount > 0 && random.nextInt(5) < 2)) {
        int freed = random.nextInt(liveCount);
        events.append("f,t").append(live[freed]).append(",,,\n");
        live[freed] = live[--liveCount];
      } else {
        live[liveCount++] = count;
        events.append("a,t").append(count++).append(",").append(random.nextInt(MIB)).append(",,\n");
      }
    }
    return of(folder, BfcOptions.growing(), events.toString());
  }

  static ReplayMap of(Path folder, BfcOptions options, String events) throws IOException {
    Path trace = Files.writeString(folder.resolve("t.csv"), "op,id,bytes,stream,t\n" + events);
    HistoryRecorder recorder = new HistoryRecorder();
    TraceReplay replay = new TraceReplay(AllocatorRules.bfc(options), recorder);
    TraceReader.read("t.csv", trace, TraceOptions.strict(), recorder.recording(replay));
    return new ReplayMap(recorder.history());
  }
}
