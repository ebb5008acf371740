package dev.stowage.cli.input;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.Gap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.deser.std.StdDeserializer;

/**
 * A record of a problem as its file has it, in the order of its properties.
 *
 * @param inPlaceOf the id of another record; this record may take over its bytes
 * @param reads the number of tasks that read the record
 * @param bank the bank that the record is tied to
 * @param offset the offset to which the record is pinned; in a plan, its offset
 */
record ProblemRecord(
    Optional<String> id,
    Optional<String> name,
    @JsonProperty(required = true) Size size,
    @JsonProperty(required = true) long firstTask,
    @JsonProperty(required = true) long lastTask,
    OptionalLong alignment,
    OptionalLong hint,
    Optional<List<Pause>> gaps,
    Optional<String> inPlaceOf,
    OptionalLong reads,
    Optional<String> bank,
    OptionalLong offset) {

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

    @JsonValue
    long bytes() {
      return numbers.getFirst();
    }
  }

  /** Reads a size. */
  static final class SizeReader extends StdDeserializer<Size> {

    SizeReader() {
      super(Size.class);
    }

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

    @Override
    public Object getNullValue(DeserializationContext context) {
      throw new IllegalArgumentException("is null, expected a size");
    }
  }

  /**
   * Tasks during which a record needs no memory.
   *
   * @param window the first of the bytes that it needs meanwhile, and the byte after them
   */
  record Pause(
      @JsonProperty(required = true) long firstTask,
      @JsonProperty(required = true) long lastTask,
      Optional<List<Long>> window) {

    Pause {
      int bounds = window.map(List::size).orElse(2);
      if (bounds != 2) {
        throw new IllegalArgumentException(
            Text.of("has a window of %s, expected [start, end]", Numbers.count(bounds, "number")));
      }
    }

    static Pause of(Gap gap) {
      return new Pause(
          gap.firstTask(),
          gap.lastTask(),
          gap.windowEnd() == 0
              ? Optional.empty()
              : Optional.of(List.of(gap.windowStart(), gap.windowEnd())));
    }

    Gap gap() {
      List<Long> bytes = window.orElse(List.of(0L, 0L));
      return new Gap(firstTask, lastTask, bytes.getFirst(), bytes.getLast());
    }
  }
}
