package dev.stowage.pages;

import dev.stowage.pages.history.PartsAt;
import dev.stowage.pages.history.PlacedChunk;
import dev.stowage.pages.history.ReplayHistory;
import dev.stowage.pages.history.ReplayHistory.RegionExtent;
import dev.stowage.pages.history.ReplayHistory.RequestFailure;
import dev.stowage.pages.history.Steps;
import dev.stowage.pages.history.Steps.Step;
import dev.stowage.trace.explain.UserLine;
import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.replay.ReservedBytes;
import dev.stowage.trace.replay.ReservedPart;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The data of the page of a replay. */
final class ReplayData {

  /*
   * Columns with an entry for each chunk, failed request, or step of a curve:
   *
   *   {"events": 0, "older": 0, "skipped": 0,
   *    "ids": [], "requested": [], "bytes": [], "region": [], "offset": [], "first": [], "end": [],
   *    "stream": [], "stack": [], "tag": [],
   *    "failures": {"ids": [], "requested": [], "stream": [], "stack": [], "tag": [], "event": []},
   *    "regions": [{"index": 0, "owner": "", "page": 0, "event": [], "max": []}],
   *    "curves": {"reserved": {"event": [], "max": []}, "inUse": {}, "requested": {}},
   *    "parts": {"first": [], "event": [], "stream": [], "requested": [], "rounding": [], …},
   *    "tags": [""], "frames": [""], "stacks": [[0]], "lines": [""]}
   *
   * "page" has the pages of a region that can be returned alone, or 0. A column of "parts" begins at "first", and has the
   * parts after "event". A stack is an index, or -1; "stacks" has its frames as indices into "frames", "lines" its line of code.
   */

  private final Map<String, Integer> tags = new LinkedHashMap<>();
  private final Map<List<String>, Integer> stacks = new HashMap<>();
  private final Map<String, Integer> frames = new LinkedHashMap<>();
  private final List<List<Integer>> stackFrames = new ArrayList<>();
  private final List<String> lines = new ArrayList<>();

  private ReplayData() {}

  static Columns of(ReplayHistory history) {
    return new ReplayData().columns(history);
  }

  private Columns columns(ReplayHistory history) {
    List<PlacedChunk> chunks = history.drawn().chunks();
    List<RequestFailure> failures = history.failures();
    Columns columns =
        new Columns()
            .add("events", history.events().count())
            .add("older", history.events().olderCount())
            .add("skipped", history.drawn().skippedCount())
            .add("bytes", chunks, PlacedChunk::chunkBytes)
            .add("region", chunks, PlacedChunk::regionIndex)
            .add("offset", chunks, PlacedChunk::offset)
            .add("first", chunks, PlacedChunk::firstEvent)
            .add("end", chunks, PlacedChunk::endEvent);
    addRequests(chunks.stream().map(PlacedChunk::request).toList(), columns);
    Columns failed = new Columns().add("event", failures, RequestFailure::event);
    addRequests(failures.stream().map(RequestFailure::request).toList(), failed);
    return columns
        .add("failures", failed)
        .add(
            "regions",
            history.regions().stream().map(ReplayData::region).map(Columns::values).toList())
        .add(
            "curves",
            new Columns()
                .add("reserved", curve(history.curves().reservedBytes()))
                .add("inUse", curve(history.curves().bytesInUse()))
                .add("requested", curve(history.curves().requestedBytes())))
        .add("parts", parts(history.parts().steps()))
        .add("tags", List.copyOf(tags.keySet()))
        .add("frames", List.copyOf(frames.keySet()))
        .add("stacks", stackFrames)
        .add("lines", lines);
  }

  private void addRequests(List<AllocationEvent.Allocate> requests, Columns columns) {
    columns
        .add("ids", requests.stream().map(AllocationEvent.Allocate::id).toList())
        .add("requested", requests, AllocationEvent.Allocate::bytes)
        .add("stream", requests, AllocationEvent.Allocate::stream)
        .add("stack", requests, request -> stack(request.frames()))
        .add("tag", requests, it -> tags.computeIfAbsent(it.tag(), _ -> tags.size()));
  }

  private int stack(List<String> all) {
    if (all.isEmpty()) {
      return -1;
    }
    return stacks.computeIfAbsent(
        all,
        stack -> {
          stackFrames.add(
              stack.stream()
                  .map(frame -> frames.computeIfAbsent(frame, _ -> frames.size()))
                  .toList());
          lines.add(UserLine.of(stack).orElseThrow());
          return stacks.size();
        });
  }

  private static Columns region(RegionExtent region) {
    return curve(region.bytes())
        .add("index", region.index())
        .add("owner", region.owner())
        .add("page", region.pageBytes());
  }

  private static Columns curve(Steps<Long> curve) {
    return new Columns()
        .add("event", curve.steps(), Step::event)
        .add("max", curve.steps(), Step::value);
  }

  private static Columns parts(List<Step<PartsAt>> steps) {
    List<ReservedBytes> bytes = steps.stream().map(step -> step.value().bytes()).toList();
    Columns parts =
        new Columns()
            .add("first", steps, Step::event)
            .add("event", steps, step -> step.value().event())
            .add("stream", steps, step -> step.value().stream())
            .add("requested", bytes, ReservedBytes::requestedBytes);
    for (ReservedPart part : ReservedPart.values()) {
      parts.add(part.name().toLowerCase(Locale.ROOT), bytes, all -> all.bytes(part));
    }
    return parts;
  }
}
