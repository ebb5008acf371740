package dev.stowage.cli.picture;

import dev.stowage.cli.replay.FailedRequest;
import dev.stowage.cli.replay.PlacedChunk;
import dev.stowage.cli.replay.RegionExtent;
import dev.stowage.cli.replay.ReplayHistory;
import dev.stowage.cli.replay.StepCurve;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/** The data of the page of a replay. */
final class ReplayData {

  /*
   * Columns with an entry for each chunk, failed request, or step of a curve:
   *
   *   {"events": 0, "peakEvent": 0,
   *    "ids": [], "requested": [], "bytes": [], "region": [], "offset": [], "first": [], "end": [],
   *    "stream": [], "stack": [],
   *    "failures": {"ids": [], "requested": [], "event": [], "stream": [], "stack": []},
   *    "regions": [{"index": 0, "event": [], "value": []}],
   *    "curves": {"reserved": {"event": [], "value": []}, "inUse": , "requested": , "fragmentation": },
   *    "frames": [""], "stacks": [[0]]}
   *
   * A stack is an index into "stacks", whose elements are indices into "frames"; -1 means no stack.
   */

  private final ReplayHistory history;
  private final JsonGenerator json;
  private final Map<List<String>, Integer> stackIndices = new HashMap<>();
  private final List<List<String>> stacks = new ArrayList<>();

  private ReplayData(ReplayHistory history, JsonGenerator json) {
    this.history = history;
    this.json = json;
  }

  /** Writes the data and leaves the writer open. */
  static void write(ReplayHistory history, Writer out) throws IOException {
    ScriptJson.write(out, json -> new ReplayData(history, json).write());
  }

  private void write() {
    json.writeStartObject();
    json.writeNumberProperty("events", history.eventCount());
    json.writeNumberProperty("peakEvent", history.peakEvent());
    writeChunks(history.chunks());
    writeFailures(history.failures());
    json.writeArrayPropertyStart("regions");
    for (RegionExtent region : history.regions()) {
      json.writeStartObject();
      json.writeNumberProperty("index", region.index());
      writeSteps(region.bytes());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeObjectPropertyStart("curves");
    writeCurve("reserved", history.reservedBytes());
    writeCurve("inUse", history.bytesInUse());
    writeCurve("requested", history.requestedBytes());
    writeCurve("fragmentation", history.fragmentation());
    json.writeEndObject();
    writeStacks();
    json.writeEndObject();
  }

  private void writeChunks(List<PlacedChunk> chunks) {
    ScriptJson.column(json, "ids", chunks.stream().map(PlacedChunk::id).toList());
    ScriptJson.column(json, "requested", chunks, PlacedChunk::requestedBytes);
    ScriptJson.column(json, "bytes", chunks, PlacedChunk::chunkBytes);
    ScriptJson.column(json, "region", chunks, PlacedChunk::regionIndex);
    ScriptJson.column(json, "offset", chunks, PlacedChunk::offset);
    ScriptJson.column(json, "first", chunks, PlacedChunk::firstEvent);
    ScriptJson.column(json, "end", chunks, PlacedChunk::endEvent);
    ScriptJson.column(json, "stream", chunks, PlacedChunk::stream);
    ScriptJson.column(json, "stack", chunks, chunk -> stackIndex(chunk.frames()));
  }

  private void writeFailures(List<FailedRequest> failures) {
    json.writeObjectPropertyStart("failures");
    ScriptJson.column(json, "ids", failures.stream().map(FailedRequest::id).toList());
    ScriptJson.column(json, "requested", failures, FailedRequest::bytes);
    ScriptJson.column(json, "event", failures, FailedRequest::event);
    ScriptJson.column(json, "stream", failures, FailedRequest::stream);
    ScriptJson.column(json, "stack", failures, failure -> stackIndex(failure.frames()));
    json.writeEndObject();
  }

  private int stackIndex(List<String> frames) {
    if (frames.isEmpty()) {
      return -1;
    }
    return stackIndices.computeIfAbsent(
        frames,
        stack -> {
          stacks.add(stack);
          return stacks.size() - 1;
        });
  }

  private void writeCurve(String name, StepCurve curve) {
    json.writeObjectPropertyStart(name);
    writeSteps(curve);
    json.writeEndObject();
  }

  private void writeSteps(StepCurve curve) {
    ScriptJson.column(json, "event", curve.stepCount(), curve::event);
    ScriptJson.column(json, "value", curve.stepCount(), curve::value);
  }

  private void writeStacks() {
    Map<String, Integer> frameIndices = new HashMap<>();
    List<String> frames = new ArrayList<>();
    json.writeArrayPropertyStart("stacks");
    for (List<String> stack : stacks) {
      json.writeStartArray();
      for (String frame : stack) {
        json.writeNumber(
            frameIndices.computeIfAbsent(
                frame,
                text -> {
                  frames.add(text);
                  return frames.size() - 1;
                }));
      }
      json.writeEndArray();
    }
    json.writeEndArray();
    ScriptJson.column(json, "frames", frames);
  }
}
