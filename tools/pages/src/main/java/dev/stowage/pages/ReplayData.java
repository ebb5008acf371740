package dev.stowage.pages;

import dev.stowage.pages.history.PartColumns;
import dev.stowage.pages.history.PlacedChunk;
import dev.stowage.pages.history.ReplayHistory;
import dev.stowage.pages.history.ReplayHistory.EventRange;
import dev.stowage.pages.history.ReplayHistory.RequestFailure;
import dev.stowage.pages.history.StepCurve;
import dev.stowage.trace.replay.ReservedPart;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/** The data of the page of a replay. */
final class ReplayData {

  /*
   * Columns with an entry for each chunk, failed request, or step of a curve, as columns.js reads them:
   *
   *   {"events": 0, "older": 0, "peaks": [[1, 2]], "skipped": 0,
   *    "ids": [], "requested": [], "bytes": [], "region": [], "offset": [], "first": [], "pending": [], "end": [],
   *    "stream": [], "stack": [], "tag": [],
   *    "failures": {"ids": [], "requested": [], "event": [], "stream": [], "stack": [], "tag": []},
   *    "regions": {"index": [], "owner": [], "page": [], "start": [0, 1], "event": [], "min": [], "max": [], "owners": [""]},
   *    "curves": {"reserved": {"event": [], "min": [], "max": []}, "inUse": , "requested": ,
   *               "fragmentation": , "live": },
   *    "parts": {"first": [], "event": [], "stream": [], "requested": [], "rounding": [], …}, "times": {"event": [], "min": [], "max": []},
   *    "tags": [""], "frames": [""], "stackStart": [0, 1], "stackFrames": [0], "lines": [""], "stackLine": [0]}
   *
   * The steps of a region are those from its "start" to the next one; its owner is an index into "owners", "page" its
   * pages that can be returned alone, or 0. "pending" is the number of events before its end for which a chunk was free for
   * the program but not for queued work. A column of "parts" begins at "first", and has the parts after "event".
   * A stack is an index; -1 means no stack. Its frames are those of "stackFrames" from "stackStart" to the start of
   * the next stack, as indices into "frames"; "stackLine" has its line of code as an index into "lines". Without
   * times, "times" is missing. If ids are paths, "layers" are theirs, as LayerColumn writes them.
   */

  private final ReplayHistory history;
  private final JsonGenerator json;
  private final Map<String, Integer> tagIndices = new LinkedHashMap<>();
  private final StackColumns stacks = new StackColumns();

  private ReplayData(ReplayHistory history, JsonGenerator json) {
    this.history = history;
    this.json = json;
  }

  static void write(ReplayHistory history, JsonGenerator json) {
    new ReplayData(history, json).write();
  }

  private void write() {
    json.writeStartObject();
    json.writeNumberProperty("events", history.events().count());
    json.writeNumberProperty("older", history.events().olderCount());
    json.writeNumberProperty("skipped", history.drawn().skippedCount());
    json.writeArrayPropertyStart("peaks");
    for (EventRange peak : history.peaks()) {
      json.writeStartArray();
      json.writeNumber(peak.firstEvent());
      json.writeNumber(peak.lastEvent());
      json.writeEndArray();
    }
    json.writeEndArray();
    writeChunks(history.drawn().chunks());
    writeFailures(history.failures());
    json.writeObjectPropertyStart("regions");
    RegionColumns.write(history.regions(), json);
    json.writeEndObject();
    json.writeObjectPropertyStart("curves");
    writeCurve("reserved", history.curves().reservedBytes());
    writeCurve("inUse", history.curves().bytesInUse());
    writeCurve("requested", history.curves().requestedBytes());
    writeCurve("fragmentation", history.curves().fragmentation());
    writeCurve("live", history.curves().liveChunks());
    json.writeEndObject();
    writeParts(history.parts().columns());
    history.events().times().ifPresent(times -> writeCurve("times", times));
    ScriptJson.column(json, "tags", List.copyOf(tagIndices.keySet()));
    stacks.write(json);
    json.writeEndObject();
  }

  private void writeChunks(List<PlacedChunk> chunks) {
    List<String> ids = chunks.stream().map(chunk -> chunk.request().id()).toList();
    ScriptJson.column(json, "ids", ids);
    if (ids.stream().anyMatch(id -> id.contains("/"))) { // numbers and addresses have no layers
      LayerColumn.write(ids, json);
    }
    ScriptJson.column(json, "requested", chunks, chunk -> chunk.request().bytes());
    ScriptJson.column(json, "bytes", chunks, PlacedChunk::chunkBytes);
    ScriptJson.column(json, "region", chunks, PlacedChunk::regionIndex);
    ScriptJson.column(json, "offset", chunks, PlacedChunk::offset);
    ScriptJson.column(json, "first", chunks, PlacedChunk::firstEvent);
    ScriptJson.column(json, "end", chunks, PlacedChunk::endEvent);
    ScriptJson.column(json, "pending", chunks, it -> it.endEvent() - it.pendingEvent());
    ScriptJson.column(json, "stream", chunks, chunk -> chunk.request().stream());
    ScriptJson.column(json, "stack", chunks, chunk -> stacks.indexOf(chunk.request().frames()));
    ScriptJson.column(json, "tag", chunks, chunk -> tagIndex(chunk.request().tag()));
  }

  private void writeFailures(List<RequestFailure> failures) {
    json.writeObjectPropertyStart("failures");
    ScriptJson.column(json, "ids", failures.stream().map(it -> it.request().id()).toList());
    ScriptJson.column(json, "requested", failures, it -> it.request().bytes());
    ScriptJson.column(json, "event", failures, RequestFailure::event);
    ScriptJson.column(json, "stream", failures, it -> it.request().stream());
    ScriptJson.column(json, "stack", failures, it -> stacks.indexOf(it.request().frames()));
    ScriptJson.column(json, "tag", failures, it -> tagIndex(it.request().tag()));
    json.writeEndObject();
  }

  private int tagIndex(String tag) {
    return tagIndices.computeIfAbsent(tag, none -> tagIndices.size());
  }

  private void writeParts(List<PartColumns.Column> columns) {
    json.writeObjectPropertyStart("parts");
    ScriptJson.column(json, "first", columns, PartColumns.Column::firstEvent);
    ScriptJson.column(json, "event", columns, PartColumns.Column::event);
    ScriptJson.column(json, "stream", columns, PartColumns.Column::stream);
    ScriptJson.column(json, "requested", columns, it -> it.bytes().requestedBytes());
    for (ReservedPart part : ReservedPart.values()) {
      String name = part.name().toLowerCase(Locale.ROOT);
      ScriptJson.column(json, name, columns, it -> it.bytes().bytes(part));
    }
    json.writeEndObject();
  }

  private void writeCurve(String name, StepCurve curve) {
    json.writeObjectPropertyStart(name);
    ScriptJson.column(json, "event", curve.stepCount(), curve::event);
    ScriptJson.column(json, "min", curve.stepCount(), curve::least);
    ScriptJson.column(json, "max", curve.stepCount(), curve::most);
    json.writeEndObject();
  }
}
