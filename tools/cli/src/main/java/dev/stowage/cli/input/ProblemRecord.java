package dev.stowage.cli.input;

import com.fasterxml.jackson.annotation.JacksonInject;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.annotation.OptBoolean;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.Gap;
import dev.stowage.plan.MalformedFileException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.deser.std.StdDeserializer;

/**
 * A record of a problem as its file has it, in the order of its properties.
 *
 * @param place the place of the record in the file
 * @param upper the task after the last one, in place of {@code lastTask}; gaps then end before
 *     their last tasks
 * @param hint a suggested offset; -1 for none
 * @param inPlaceOf the id of another record; this record may take over its bytes
 * @param reads the number of tasks that read the record
 * @param bank the bank that the record is tied to
 * @param offset the offset to which the record is pinned, -1 for none; in a plan, its offset
 */
record ProblemRecord(
    @JacksonInject(useInput = OptBoolean.FALSE)
        @JsonProperty(access = JsonProperty.Access.WRITE_ONLY)
        String place,
    Optional<String> id,
    Optional<String> name,
    @JsonProperty(required = true) Size size,
    @JsonProperty(required = true) long firstTask,
    OptionalLong lastTask,
    OptionalLong upper,
    OptionalLong alignment,
    OptionalLong hint,
    Optional<List<Pause>> gaps,
    Optional<String> inPlaceOf,
    OptionalLong reads,
    Optional<String> bank,
    OptionalLong offset) {

  /** {@return the last task} */
  long last() {
    if (upper.isPresent() && upper.getAsLong() <= firstTask) {
      throw new IllegalArgumentException(
          Text.of(
              "upper is %d, expected more than lower, which is %d", upper.getAsLong(), firstTask));
    }
    long last =
        upper.isPresent()
            ? upper.getAsLong() - 1
            : lastTask.orElseThrow(() -> new IllegalArgumentException("last_task is missing"));
    if (last == Long.MAX_VALUE) {
      throw new IllegalArgumentException(
          Text.of("the last task is %d, expected less than 2^63 - 1", last));
    }
    return last;
  }

  /** {@return the tasks during which the record needs no memory, or only a part of it} */
  List<Gap> pauses() {
    return gaps.orElse(List.of()).stream().map(gap -> gap.gap(upper.isPresent())).toList();
  }

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

    /** Longer texts are expressions without dimensions. */
    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,18}");

    SizeReader() {
      super(Size.class);
    }

    @Override
    public Size deserialize(JsonParser in, DeserializationContext context) {
      if (in.hasToken(JsonToken.VALUE_STRING)) {
        String text = in.getString();
        return DIGITS.matcher(text).matches()
            ? new Size(List.of(Long.parseLong(text)), "")
            : new Size(List.of(), text);
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
   * Tasks during which a record needs no memory. In CSV it is a text.
   *
   * @param window the first of the bytes that it needs meanwhile, and the byte after them
   */
  record Pause(
      @JsonProperty(required = true) long firstTask,
      @JsonProperty(required = true) long lastTask,
      Optional<List<Long>> window) {

    private static final Pattern TEXT = Pattern.compile("([0-9]+)-([0-9]+)(?:@([0-9]+):([0-9]+))?");

    @JsonCreator(mode = JsonCreator.Mode.PROPERTIES)
    Pause {
      int bounds = window.map(List::size).orElse(2);
      if (bounds != 2) {
        throw new IllegalArgumentException(
            Text.of("has a window of %s, expected [start, end]", Numbers.count(bounds, "number")));
      }
    }

    /** {@return the tasks of a text such as {@code 3-5} or {@code 3-5@0:128}} */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static Pause parse(String text) {
      try {
        Matcher gap = TEXT.matcher(text);
        if (gap.matches()) {
          Optional<List<Long>> window =
              Optional.ofNullable(gap.group(3))
                  .map(start -> List.of(Long.parseLong(start), Long.parseLong(gap.group(4))));
          return new Pause(Long.parseLong(gap.group(1)), Long.parseLong(gap.group(2)), window);
        }
      } catch (NumberFormatException e) {
        // A number is too large.
      }
      throw new IllegalArgumentException(
          Text.of(
              "is '%s', expected LOWER-UPPER or LOWER-UPPER@START:END",
              MalformedFileException.excerpt(text)));
    }

    /** {@return gaps in CSV, with exclusive ends} */
    static String text(List<Pause> gaps) {
      return gaps.stream()
          .map(gap ->
              gap.firstTask
                  + "-"
                  + (gap.lastTask + 1)
                  + gap.window.map(it -> "@" + it.getFirst() + ":" + it.getLast()).orElse(""))
          .collect(Collectors.joining(" "));
    }

    static Pause of(Gap gap) {
      return new Pause(
          gap.firstTask(),
          gap.lastTask(),
          gap.windowEnd() == 0
              ? Optional.empty()
              : Optional.of(List.of(gap.windowStart(), gap.windowEnd())));
    }

    private Gap gap(boolean isExclusive) {
      List<Long> bytes = window.orElse(List.of(0L, 0L));
      return new Gap(
          firstTask, lastTask - (isExclusive ? 1 : 0), bytes.getFirst(), bytes.getLast());
    }
  }
}
