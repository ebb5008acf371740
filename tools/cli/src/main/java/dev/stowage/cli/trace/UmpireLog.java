package dev.stowage.cli.trace;

import dev.stowage.cli.input.JsonErrors;
import dev.stowage.cli.input.WholeNumber;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.format.CheckedEvents;
import dev.stowage.trace.format.KeyedEvents;
import dev.stowage.trace.format.TraceContent;
import dev.stowage.trace.format.TraceFormat;
import dev.stowage.trace.format.TraceSummary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;

/**
 * The replay log of Umpire ({@code UMPIRE_REPLAY=On}): a JSON object on each line.
 *
 * <p>The operations {@code allocate}, {@code named_allocate}, {@code deallocate} and {@code
 * reallocate} are events. A reallocation is a free and an allocation. The log has it twice, before
 * and after, and between them the operations that it consists of, which are not events. The stream
 * of an event is the number of its allocator.
 */
final class UmpireLog implements TraceFormat {

  private final JsonContent json = new JsonContent();

  @Override
  public String name() {
    return "umpire";
  }

  @Override
  public String description() {
    return "Umpire";
  }

  @Override
  public boolean matches(String head) {
    String line = head.lines().findFirst().orElse("");
    return line.startsWith("{") && line.contains("\"category\"") && line.contains("\"name\"");
  }

  @Override
  public TraceSummary read(TraceContent content, CheckedEvents events) throws IOException {
    Operations operations = new Operations(events);
    content.forEachLine(
        events,
        (line, place) -> {
          Map<String, String> fields = new HashMap<>();
          try (JsonParser parser = json.parser(line)) {
            readFields(parser, fields);
          } catch (JacksonException e) {
            events.refuse(place, JsonErrors.sentence(e));
            return;
          }
          operations.read(fields, place);
        });
    operations.end();
    return events.summary(name());
  }

  /** Reads the texts and numbers of an object, and of the objects in it, by their keys. */
  private static void readFields(JsonParser parser, Map<String, String> fields) {
    parser.nextToken();
    while (parser.nextToken() != null) {
      String key = parser.currentName();
      if (key != null && parser.streamReadContext().getNestingDepth() <= 2) {
        JsonContent.scalar(parser).ifPresent(value -> fields.putIfAbsent(key, value));
      }
    }
  }

  /** An allocation of an allocator. */
  private record Key(String allocator, String pointer) {

    @Override
    public String toString() {
      return pointer;
    }
  }

  /** The operations of a file. */
  private static final class Operations {

    private static final Set<String> NULL_POINTERS = Set.of("0", "0x0", "(nil)");

    /** The number of allocators that a note names. */
    private static final int MAX_NAMES = 4;

    private final CheckedEvents events;
    private final KeyedEvents<Key> allocations;

    /** The numbers of allocators. */
    private final Map<String, Integer> streams = new HashMap<>();

    private final List<String> names = new ArrayList<>();

    /** The bytes of the reallocations that have begun, by allocator. */
    private final Map<String, Long> reallocations = new HashMap<>();

    private OptionalLong startNanos = OptionalLong.empty();

    Operations(CheckedEvents events) {
      this.events = events;
      allocations = new KeyedEvents<>(events);
    }

    void read(Map<String, String> fields, String place) throws MalformedFileException {
      if (!"operation".equals(fields.get("category"))) {
        return;
      }
      Optional<String> allocator = Optional.ofNullable(fields.get("allocator_ref"));
      String name = fields.getOrDefault("name", "");
      boolean isEvent =
          switch (name) {
            case "allocate", "named_allocate", "deallocate", "reallocate" -> true;
            default -> false;
          };
      if (allocator.isEmpty()) {
        if (isEvent) {
          events.refuse(place, "has no text 'allocator_ref'");
        }
        return;
      }
      int stream = stream(allocator.get(), fields.getOrDefault("allocator_name", ""));
      if (!isEvent) {
        return;
      }
      Caller caller = new Caller(allocator.get(), stream, micros(fields), place);
      if (name.equals("reallocate")) {
        reallocate(fields, caller);
      } else if (!reallocations.containsKey(allocator.get())) {
        passSingle(name, fields, caller);
      }
    }

    /** {@return the number of an allocator, which is named when the program creates it} */
    private int stream(String allocator, String name) {
      Integer known = streams.putIfAbsent(allocator, names.size());
      if (known == null) {
        names.add(name.isEmpty() ? allocator : name);
        return names.size() - 1;
      }
      return known;
    }

    /** {@return the microseconds since the first event; 0 if the line has no time} */
    private long micros(Map<String, String> fields) {
      OptionalLong nanos = number(fields, "timestamp");
      if (nanos.isEmpty()) {
        return 0;
      }
      if (startNanos.isEmpty()) {
        startNanos = nanos;
      }
      return (nanos.getAsLong() - startNanos.getAsLong()) / 1000;
    }

    /** The allocator, the time and the place of an operation. */
    private record Caller(String allocator, long stream, long micros, String place) {}

    private void passSingle(String name, Map<String, String> fields, Caller caller)
        throws MalformedFileException {
      Optional<String> pointer = Optional.ofNullable(fields.get("pointer"));
      if (pointer.isEmpty()) {
        events.refuse(caller.place(), "has no text 'pointer'");
      } else if (name.equals("deallocate")) {
        free(pointer.get(), caller);
      } else {
        OptionalLong bytes = number(fields, "size");
        if (bytes.isEmpty()) {
          events.refuse(caller.place(), "has no number 'size' of bytes from 0 to 2^63 - 1");
        } else {
          allocate(
              pointer.get(), bytes.getAsLong(), fields.getOrDefault("allocation_name", ""), caller);
        }
      }
    }

    private void reallocate(Map<String, String> fields, Caller caller)
        throws MalformedFileException {
      Optional<String> result = Optional.ofNullable(fields.get("new_ptr"));
      if (result.isPresent()) {
        Optional<Long> bytes = Optional.ofNullable(reallocations.remove(caller.allocator()));
        if (bytes.isEmpty()) {
          events.refuse(caller.place(), "ends a reallocation that has not begun");
        } else {
          allocate(result.get(), bytes.get(), "", caller);
        }
        return;
      }
      Optional<String> pointer = Optional.ofNullable(fields.get("current_ptr"));
      OptionalLong bytes = number(fields, "size");
      if (pointer.isEmpty() || bytes.isEmpty()) {
        events.refuse(
            caller.place(), "has no text 'current_ptr' or no number 'size' from 0 to 2^63 - 1");
      } else {
        reallocations.put(caller.allocator(), bytes.getAsLong());
        free(pointer.get(), caller);
      }
    }

    private void allocate(String pointer, long bytes, String tag, Caller caller)
        throws MalformedFileException {
      allocations.allocate(
          new Key(caller.allocator(), pointer),
          caller.place(),
          id ->
              new AllocationEvent.Allocate(
                  id, bytes, caller.stream(), caller.micros(), List.of(), tag));
    }

    private void free(String pointer, Caller caller) throws MalformedFileException {
      if (!isNull(pointer)) {
        allocations.free(
            new Key(caller.allocator(), pointer), caller.stream(), caller.micros(), caller.place());
      }
    }

    private static boolean isNull(String pointer) {
      return NULL_POINTERS.contains(pointer);
    }

    /** {@return a number that is not negative, or empty} */
    private static OptionalLong number(Map<String, String> fields, String key) {
      OptionalLong number = WholeNumber.parse(fields.getOrDefault(key, ""));
      return number.orElse(-1) < 0 ? OptionalLong.empty() : number;
    }

    void end() throws MalformedFileException {
      if (!reallocations.isEmpty()) {
        events.endEarly("the last line", "a reallocation has begun that does not end");
      }
      events.note(
          String.format(
              Locale.ROOT,
              "the log has no streams and call stacks; the stream of an event is the number of its"
                  + " allocator (%s%s)",
              IntStream.range(0, Math.min(names.size(), MAX_NAMES))
                  .mapToObj(i -> i + ": " + MalformedFileException.excerpt(names.get(i)))
                  .collect(Collectors.joining(", ")),
              names.size() > MAX_NAMES ? ", …" : ""));
    }
  }
}
