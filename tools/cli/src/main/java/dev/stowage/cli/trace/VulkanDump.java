package dev.stowage.cli.trace;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.format.CheckedEvents;
import dev.stowage.trace.format.TraceContent;
import dev.stowage.trace.format.TraceFormat;
import dev.stowage.trace.format.TraceSummary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * A dump of Vulkan Memory Allocator ({@code vmaBuildStatsString}) or of its sibling for Direct3D
 * 12.
 *
 * <p>A dump is a state. Its allocations are events in the order of the file, and there are no
 * frees. The stream of an allocation is the number of its memory type.
 */
final class VulkanDump implements TraceFormat {

  private static final Pattern MEMORY_TYPE = Pattern.compile("Type (\\d{1,9})");

  private final JsonContent json = new JsonContent();

  @Override
  public String name() {
    return "vma";
  }

  @Override
  public String description() {
    return "Vulkan Memory Allocator";
  }

  @Override
  public boolean matches(String head) {
    return head.stripLeading().startsWith("{")
        && head.contains("\"Total\"")
        && head.contains("\"UnusedRange");
  }

  @Override
  public TraceSummary read(TraceContent content, CheckedEvents events) throws IOException {
    Allocations allocations = new Allocations(events);
    json.read(content, events, parser -> allocations.read(parser, 0, false));
    if (!allocations.hasMap) {
      throw new MalformedFileException(
          content.source(),
          "has no 'Suballocations', expected a dump with a detailed map"
              + " (vmaBuildStatsString(allocator, &text, VK_TRUE))");
    }
    events.note(
        "a dump is a state, not a history: it has neither frees nor times nor call stacks; the"
            + " memory types of all heaps are the streams of one device");
    return events.summary(name());
  }

  /** The allocations of a file. */
  private static final class Allocations {

    private final CheckedEvents events;
    private long allocationCount;
    private boolean hasMap;

    Allocations(CheckedEvents events) {
      this.events = events;
    }

    /**
     * Reads the current value and all values in it.
     *
     * @param stream the number of the memory type
     * @param holdsAllocations true if the objects in a list are allocations
     */
    void read(JsonParser parser, long stream, boolean holdsAllocations)
        throws MalformedFileException {
      if (parser.currentToken() == JsonToken.START_ARRAY) {
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          if (holdsAllocations) {
            readAllocation(parser, stream);
          } else {
            read(parser, stream, false);
          }
        }
      } else if (parser.currentToken() == JsonToken.START_OBJECT) {
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String key = parser.currentName();
          parser.nextToken();
          Matcher type = MEMORY_TYPE.matcher(key);
          boolean isMap = key.equals("Suballocations") || key.equals("DedicatedAllocations");
          hasMap |= isMap;
          read(
              parser,
              type.matches() ? Long.parseLong(type.group(1)) : stream,
              isMap || holdsAllocations);
        }
      }
    }

    private void readAllocation(JsonParser parser, long stream) throws MalformedFileException {
      String place = JsonContent.place(parser);
      OptionalLong bytes = OptionalLong.empty();
      String type = "";
      List<String> labels = new ArrayList<>();
      if (parser.currentToken() == JsonToken.START_OBJECT) {
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String key = parser.currentName();
          parser.nextToken();
          switch (key) {
            case "Size" -> bytes = JsonContent.whole(parser);
            case "Type" -> type = JsonContent.scalar(parser).orElse("");
            case "Name" -> JsonContent.scalar(parser).ifPresent(labels::addFirst);
            default -> {}
          }
          parser.skipChildren();
        }
      } else {
        parser.skipChildren();
      }
      if (type.equals("FREE")) {
        return;
      }
      if (type.isEmpty() || bytes.isEmpty() || bytes.getAsLong() < 0) {
        events.refuse(
            place,
            "has no text 'Type' or no number 'Size' from 0 to 2^63 - 1, expected an allocation");
        return;
      }
      labels.add(type);
      String id = Long.toString(allocationCount++);
      events.pass(
          new AllocationEvent.Allocate(
              id, bytes.getAsLong(), stream, 0, List.of(), String.join(" ", labels)),
          place);
    }
  }
}
