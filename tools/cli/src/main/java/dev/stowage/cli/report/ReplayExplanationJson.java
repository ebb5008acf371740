package dev.stowage.cli.report;

import dev.stowage.trace.explain.BlockOwner;
import dev.stowage.trace.explain.Grouping;
import dev.stowage.trace.explain.HolderGroup;
import dev.stowage.trace.explain.Holders;
import dev.stowage.trace.explain.Hole;
import dev.stowage.trace.explain.PinnedRegion;
import dev.stowage.trace.explain.ReplayExplanation;
import dev.stowage.trace.explain.WorstFailure;
import dev.stowage.trace.replay.MemoryUse;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

/** Explanations of replays as objects of JSON. */
final class ReplayExplanationJson {

  private ReplayExplanationJson() {}

  /** Writes the property of an explanation. */
  static void write(ReplayExplanation explanation, JsonGenerator json) {
    json.writeObjectPropertyStart("explanation");
    json.writeNumberProperty("event", explanation.moment().event());
    json.writeBooleanProperty("is_peak", explanation.isPeak());
    json.writeNumberProperty("requested_bytes", explanation.moment().use().requestedBytesInUse());
    json.writeNumberProperty("in_use_bytes", explanation.moment().use().bytesInUse());
    json.writeNumberProperty("reserved_bytes", explanation.moment().use().reservedBytes());
    holders(explanation, json);
    json.writeObjectPropertyStart("fragmentation");
    use("at_event", explanation.moment(), json);
    use("at_maximum", explanation.worst().mostFragmented(), json);
    use("at_most_scattered", explanation.worst().mostScattered(), json);
    json.writeEndObject();
    json.writeNumberProperty("pinned_region_count", explanation.pins().count());
    json.writeArrayPropertyStart("pinned_regions");
    explanation.pins().largest().forEach(pin -> pin(pin, json));
    json.writeEndArray();
    explanation.failure().ifPresent(failure -> failure(failure, json));
    json.writeEndObject();
  }

  private static void holders(ReplayExplanation explanation, JsonGenerator json) {
    boolean isFirst = true;
    for (Map.Entry<Grouping, Holders> entry : explanation.holders().entrySet()) {
      Holders holders = entry.getValue();
      if (isFirst) {
        json.writeNumberProperty("blocks", holders.blocks());
        if (holders.older().isPresent()) {
          json.writeObjectPropertyStart("older");
          sums(holders.older().get(), holders.bytes(), json);
          json.writeEndObject();
        }
        isFirst = false;
      }
      json.writeArrayPropertyStart("by_" + entry.getKey().name().toLowerCase(Locale.ROOT));
      for (HolderGroup group : holders.groups()) {
        json.writeStartObject();
        json.writeStringProperty("key", group.key());
        sums(group, holders.bytes(), json);
        if (entry.getKey() == Grouping.STACK) {
          frames(group.frames(), json);
        }
        json.writeEndObject();
      }
      json.writeEndArray();
    }
  }

  private static void sums(HolderGroup group, long allBytes, JsonGenerator json) {
    json.writeNumberProperty("bytes", group.bytes());
    json.writeNumberProperty("blocks", group.blocks());
    json.writeNumberProperty("share", allBytes == 0 ? 0 : group.bytes() / (double) allBytes);
  }

  private static void use(String name, ReplayExplanation.Moment moment, JsonGenerator json) {
    MemoryUse use = moment.use();
    json.writeObjectPropertyStart(name);
    json.writeNumberProperty("event", moment.event());
    json.writeNumberProperty("external", use.externalFragmentation());
    json.writeNumberProperty("internal", use.internalFragmentation());
    json.writeNumberProperty("free_bytes", use.freeBytes());
    json.writeNumberProperty("largest_free_bytes", use.largestFreeBytes());
    json.writeEndObject();
  }

  private static void pin(PinnedRegion pin, JsonGenerator json) {
    json.writeStartObject();
    json.writeNumberProperty("region", pin.region());
    json.writeNumberProperty("bytes", pin.bytes());
    json.writeNumberProperty("free_bytes", pin.freeBytes());
    json.writeNumberProperty("blocks", pin.blocks());
    json.writeArrayPropertyStart("largest");
    for (BlockOwner block : pin.largest()) {
      json.writeStartObject();
      owner(block, json);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void failure(WorstFailure failure, JsonGenerator json) {
    json.writeObjectPropertyStart("worst_failure");
    json.writeNumberProperty("event", failure.event());
    json.writeNumberProperty("bytes", failure.request().bytes());
    json.writeNumberProperty("stream", failure.request().stream());
    json.writeStringProperty("tag", failure.request().tag());
    frames(failure.request().frames(), json);
    json.writeStringProperty("verdict", failure.verdict().name().toLowerCase(Locale.ROOT));
    json.writeStringProperty("reason", failure.reason());
    json.writeNumberProperty("free_bytes", failure.free().bytes());
    json.writeNumberProperty("hole_count", failure.free().holeCount());
    json.writeArrayPropertyStart("holes");
    for (Hole hole : failure.free().holes()) {
      json.writeStartObject();
      json.writeNumberProperty("region", hole.region());
      json.writeNumberProperty("offset", hole.offset());
      json.writeNumberProperty("bytes", hole.bytes());
      json.writeStringProperty("owner", hole.owner());
      neighbour("below", hole.below(), json);
      neighbour("above", hole.above(), json);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void neighbour(String name, Optional<BlockOwner> block, JsonGenerator json) {
    if (block.isPresent()) {
      json.writeObjectPropertyStart(name);
      owner(block.get(), json);
      json.writeEndObject();
    }
  }

  private static void owner(BlockOwner block, JsonGenerator json) {
    json.writeNumberProperty("event", block.event());
    json.writeNumberProperty("bytes", block.bytes());
    json.writeNumberProperty("stream", block.stream());
    json.writeStringProperty("tag", block.tag());
    json.writeStringProperty("line", block.line());
    frames(block.frames(), json);
  }

  private static void frames(List<String> frames, JsonGenerator json) {
    json.writeArrayPropertyStart("frames");
    frames.forEach(json::writeString);
    json.writeEndArray();
  }
}
