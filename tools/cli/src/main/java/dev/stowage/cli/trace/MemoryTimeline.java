package dev.stowage.cli.trace;

import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.format.CheckedEvents;
import dev.stowage.trace.format.TraceContent;
import dev.stowage.trace.format.TraceFormat;
import dev.stowage.trace.format.TraceSummary;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * A raw memory timeline of PyTorch's profiler, which Holistic Trace Analysis reads: a list of
 * {@code [time, action, bytes, category]}.
 *
 * <p>Actions are 1 for memory older than the recording, 2 for an allocation, 3 twice for a block
 * that gets another category, and 4 for a free. The bytes of a block that leaves are negative. A
 * timeline does not name its blocks. A free or a new category therefore concerns the latest block
 * with these bytes and this category.
 */
final class MemoryTimeline implements TraceFormat {

  private static final Pattern START = Pattern.compile("\\s*\\[\\s*\\[\\s*-?\\d.*", Pattern.DOTALL);

  /** The categories of PyTorch, by their number. */
  private static final List<String> CATEGORIES =
      List.of(
          "parameter",
          "optimizer state",
          "input",
          "temporary",
          "activation",
          "gradient",
          "autograd detail",
          "unknown");

  private static final int PREEXISTING = 1;
  private static final int CREATE = 2;
  private static final int INCREMENT_VERSION = 3;
  private static final int DESTROY = 4;

  private final JsonContent json = new JsonContent();

  @Override
  public String name() {
    return "timeline";
  }

  @Override
  public String description() {
    return "PyTorch's profiler (.raw.json.gz)";
  }

  @Override
  public boolean matches(String head) {
    return START.matcher(head).matches();
  }

  @Override
  public TraceSummary read(TraceContent content, CheckedEvents events) throws IOException {
    Blocks blocks = new Blocks(events);
    json.read(
        content,
        events,
        parser -> {
          while (parser.nextToken() != JsonToken.END_ARRAY) {
            blocks.read(parser);
          }
          blocks.end();
        });
    events.note(
        "the timeline has no addresses, streams and call stacks; a free is that of the latest block"
            + " with its bytes and category");
    return events.summary(name());
  }

  /** An entry of the list. */
  private record Entry(long time, long action, long bytes, int category) {

    /** {@return the bytes of the block, without the sign} */
    Kind kind() {
      return new Kind(Math.abs(bytes), category);
    }
  }

  /** The blocks that the timeline does not distinguish. */
  private record Kind(long bytes, int category) {

    @Override
    public String toString() {
      return Text.of("a block of %d bytes, %s", bytes, CATEGORIES.get(category));
    }
  }

  /** The blocks of a file. */
  private static final class Blocks {

    private final CheckedEvents events;

    /** The ids of live blocks, the latest first. */
    private final Map<Kind, Deque<String>> live = new HashMap<>();

    /** The first entry of a change of category. */
    private Optional<Entry> change = Optional.empty();

    private OptionalLong startNanos = OptionalLong.empty();
    private long entryCount;
    private long allocationCount;

    Blocks(CheckedEvents events) {
      this.events = events;
    }

    /** Reads an entry, at its first token. */
    void read(JsonParser parser) throws MalformedFileException {
      String place = "entry " + entryCount++;
      Optional<Entry> entry = entry(parser);
      if (entry.isEmpty()) {
        events.refuse(
            place,
            "is not a list of a time, an action from 1 to 4, bytes and a category from 0 to 7,"
                + " expected a timeline that was exported as .raw.json.gz");
      } else if (change.isPresent() != isSecondPart(entry.get())) {
        change = Optional.empty();
        events.refuse(place, "is not the second part of the change before it");
      } else {
        pass(entry.get(), place);
      }
    }

    private boolean isSecondPart(Entry entry) {
      return change.isPresent()
          && entry.action() == INCREMENT_VERSION
          && entry.bytes() == -change.get().bytes();
    }

    void end() throws MalformedFileException {
      if (change.isPresent()) {
        events.refuse("entry " + entryCount, "is missing, the second part of the change before it");
      }
    }

    private static Optional<Entry> entry(JsonParser parser) {
      if (parser.currentToken() != JsonToken.START_ARRAY) {
        parser.skipChildren();
        return Optional.empty();
      }
      long[] values = new long[4];
      int count = 0;
      boolean isWhole = true;
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        OptionalLong value = JsonContent.whole(parser);
        parser.skipChildren();
        isWhole &= value.isPresent() && count < values.length;
        if (isWhole) {
          values[count++] = value.getAsLong();
        }
      }
      boolean isEntry =
          isWhole
              && count == values.length
              && values[1] >= PREEXISTING
              && values[1] <= DESTROY
              && values[2] != Long.MIN_VALUE
              && values[3] >= 0
              && values[3] < CATEGORIES.size();
      return isEntry
          ? Optional.of(new Entry(values[0], values[1], values[2], (int) values[3]))
          : Optional.empty();
    }

    private void pass(Entry entry, String place) throws MalformedFileException {
      if (startNanos.isEmpty() && entry.time() >= 0) {
        startNanos = OptionalLong.of(entry.time());
      }
      // The time of memory that is older than the recording is -1.
      long time = entry.time() < 0 ? 0 : (entry.time() - startNanos.getAsLong()) / 1000;
      switch ((int) entry.action()) {
        case PREEXISTING, CREATE -> allocate(entry, time, place);
        case INCREMENT_VERSION -> changeCategory(entry, place);
        default -> free(entry, time, place);
      }
    }

    private void allocate(Entry entry, long time, String place) throws MalformedFileException {
      if (entry.bytes() < 0) {
        events.refuse(
            place, Text.of("allocates a negative number of bytes: bytes=%d", entry.bytes()));
        return;
      }
      String id = Long.toString(allocationCount++);
      add(entry.kind(), id);
      String category = CATEGORIES.get(entry.category());
      events.pass(
          new AllocationEvent.Allocate(id, entry.bytes(), 0, time, List.of(), category), place);
    }

    private void changeCategory(Entry entry, String place) throws MalformedFileException {
      if (change.isEmpty()) {
        change = Optional.of(entry);
        return;
      }
      Kind before = change.get().kind();
      change = Optional.empty();
      Optional<String> id = remove(before);
      if (id.isPresent()) {
        add(entry.kind(), id.get());
      } else {
        events.refuse(place, "changes the category of " + before + ", of which none is live");
      }
    }

    private void free(Entry entry, long time, String place) throws MalformedFileException {
      Optional<String> id = entry.bytes() > 0 ? Optional.empty() : remove(entry.kind());
      if (id.isPresent()) {
        events.pass(new AllocationEvent.Free(id.get(), 0, time), place);
      } else {
        events.refuse(place, "frees " + entry.kind() + ", of which none is live");
      }
    }

    private void add(Kind kind, String id) {
      live.computeIfAbsent(kind, none -> new ArrayDeque<>()).push(id);
    }

    private Optional<String> remove(Kind kind) {
      Deque<String> ids = live.get(kind);
      if (ids == null) {
        return Optional.empty();
      }
      String id = ids.pop();
      if (ids.isEmpty()) {
        live.remove(kind);
      }
      return Optional.of(id);
    }
  }
}
