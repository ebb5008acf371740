package dev.stowage.cli.input;

import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.Gap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JsonDeserialize;

/**
 * A record of a problem as its file has it.
 *
 * @param offset the offset to which the record is pinned; in a plan, its offset
 * @param inPlaceOf the id of the record whose bytes this one may take over
 * @param reads the number of tasks that read the record
 * @param bank the bank that the record is tied to
 */
record ProblemRecord(
    Optional<Size> size,
    OptionalLong firstTask,
    OptionalLong lastTask,
    Optional<String> id,
    Optional<String> name,
    OptionalLong alignment,
    OptionalLong offset,
    OptionalLong hint,
    Optional<List<Pause>> gaps,
    Optional<String> inPlaceOf,
    OptionalLong reads,
    Optional<String> bank) {

  /**
   * A number, several numbers or a text.
   *
   * @param numbers the bytes of a record, the extent of a texture or the range of a dimension;
   *     empty for a text
   * @param expression an expression of dimensions; empty for numbers
   */
  @JsonDeserialize(using = SizeReader.class)
  record Size(List<Long> numbers, String expression) {

    boolean isExtent() {
      return numbers.size() > 1;
    }
  }

  /** Reads a size. */
  static final class SizeReader extends ValueDeserializer<Size> {

    @Override
    public Size deserialize(JsonParser in, DeserializationContext context) {
      if (in.hasToken(JsonToken.VALUE_STRING)) {
        return new Size(List.of(), in.getString());
      }
      if (!in.hasToken(JsonToken.START_ARRAY)) {
        return new Size(List.of(context.readValue(in, Long.class)), "");
      }
      List<Long> numbers = List.of(context.readValue(in, Long[].class));
      if (numbers.size() < 2 || numbers.size() > 3) {
        throw new IllegalArgumentException(
            Text.of("has %s, expected 2 or 3", Numbers.count(numbers.size(), "number")));
      }
      return new Size(numbers, "");
    }
  }

  /**
   * Tasks during which a record needs no memory.
   *
   * @param window the first of the bytes that it needs meanwhile, and the byte after them
   */
  record Pause(OptionalLong firstTask, OptionalLong lastTask, Optional<List<Long>> window) {

    Pause {
      if (firstTask.isEmpty() || lastTask.isEmpty()) {
        throw new IllegalArgumentException("lacks first_task or last_task, expected both");
      }
      int bounds = window.map(List::size).orElse(2);
      if (bounds != 2) {
        throw new IllegalArgumentException(
            Text.of("has a window of %s, expected [start, end]", Numbers.count(bounds, "number")));
      }
    }

    Gap gap() {
      List<Long> bytes = window.orElse(List.of(0L, 0L));
      return new Gap(
          firstTask.orElseThrow(), lastTask.orElseThrow(), bytes.getFirst(), bytes.getLast());
    }
  }
}
