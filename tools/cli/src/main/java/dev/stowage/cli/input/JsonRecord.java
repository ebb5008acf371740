package dev.stowage.cli.input;

import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.Gap;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.shapes.SizeExpression;
import dev.stowage.plan.textures.TextureExtent;
import dev.stowage.plan.textures.TextureUsageRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The properties of one record of a problem in JSON. */
final class JsonRecord {

  private final JsonValues values;
  private final int index;

  private Optional<String> id = Optional.empty();
  private Optional<String> name = Optional.empty();
  private List<Long> size = List.of();
  private OptionalLong firstTask = OptionalLong.empty();
  private OptionalLong lastTask = OptionalLong.empty();
  private long alignment = 1;
  private OptionalLong offset = OptionalLong.empty();
  private Optional<String> sizeExpression = Optional.empty();
  private OptionalLong hint = OptionalLong.empty();
  private List<Gap> gaps = List.of();
  private Optional<String> inPlaceOf = Optional.empty();
  private OptionalLong reads = OptionalLong.empty();
  private String bank = "";

  private JsonRecord(JsonValues values, int index) {
    this.values = values;
    this.index = index;
  }

  /**
   * {@return the current value, a record}
   *
   * @throws IllegalArgumentException if a value contradicts another
   */
  static JsonRecord read(JsonValues values, int index) throws MalformedFileException {
    JsonRecord record = new JsonRecord(values, index);
    values.readObject("a record, an object with size, first_task and last_task", record::read);
    record.check();
    return record;
  }

  private void read(String key) throws MalformedFileException {
    switch (key) {
      case "size" -> readSize();
      case "first_task" -> firstTask = OptionalLong.of(values.number(key));
      case "last_task" -> lastTask = OptionalLong.of(values.number(key));
      case "id" -> id = Optional.of(values.text(key));
      case "name" -> name = Optional.of(values.text(key));
      case "alignment" -> alignment = values.number(key);
      case "offset" -> offset = OptionalLong.of(values.number(key));
      case "hint" -> hint = OptionalLong.of(values.number(key));
      case "gaps" -> gaps = gaps();
      case "in_place_of" -> inPlaceOf = Optional.of(values.text(key));
      case "reads" -> reads = OptionalLong.of(values.number(key));
      case "bank" -> bank = values.text(key);
      default -> values.ignore(key);
    }
  }

  /** Reads a number, an extent, or an expression of dimensions. */
  private void readSize() throws MalformedFileException {
    if (values.isText()) {
      sizeExpression = Optional.of(values.text("size"));
      SizeExpression expression = SizeExpression.parse(sizeExpression.get());
      size = List.of(expression.constant().orElse(RangedSizes.LARGEST_BYTES));
    } else {
      size = size();
    }
  }

  private List<Long> size() throws MalformedFileException {
    if (!values.isList()) {
      return List.of(values.number("size"));
    }
    List<Long> sizes = numbers("size", "a size");
    if (sizes.size() < 2 || sizes.size() > 3) {
      throw values.malformed("size is a list, expected [width, height] or [width, height, depth]");
    }
    return sizes;
  }

  private List<Long> numbers(String key, String expected) throws MalformedFileException {
    List<Long> numbers = new ArrayList<>();
    values.readList(expected, () -> numbers.add(values.number(key)));
    return numbers;
  }

  private List<Gap> gaps() throws MalformedFileException {
    List<Gap> read = new ArrayList<>();
    values.readList("a list of gaps", () -> read.add(new GapReader().read()));
    return read;
  }

  /** The properties of a gap. */
  private final class GapReader {

    private OptionalLong first = OptionalLong.empty();
    private OptionalLong last = OptionalLong.empty();
    private List<Long> window = List.of(0L, 0L);

    Gap read() throws MalformedFileException {
      values.readObject("a gap, an object with first_task and last_task", this::read);
      if (first.isEmpty() || last.isEmpty()) {
        throw values.malformed("a gap lacks first_task or last_task, expected both");
      }
      checkOrder(first.getAsLong(), last.getAsLong());
      return new Gap(first.getAsLong(), last.getAsLong(), window.get(0), window.get(1));
    }

    private void read(String key) throws MalformedFileException {
      switch (key) {
        case "first_task" -> first = OptionalLong.of(values.number(key));
        case "last_task" -> last = OptionalLong.of(values.number(key));
        case "window" -> window = window();
        default -> values.ignore(key);
      }
    }

    private List<Long> window() throws MalformedFileException {
      List<Long> bounds = numbers("window", "a window [start, end]");
      if (bounds.size() != 2) {
        throw values.malformed(
            Text.of(
                "window has %s, expected [start, end]", Numbers.count(bounds.size(), "number")));
      }
      if (bounds.get(0) < 0 || bounds.get(0) > bounds.get(1)) {
        throw new IllegalArgumentException(
            Text.of(
                "window is [%d, %d], expected 0 or more, and the end not before the start",
                bounds.get(0), bounds.get(1)));
      }
      return bounds;
    }
  }

  private void check() throws MalformedFileException {
    if (size.isEmpty() || firstTask.isEmpty() || lastTask.isEmpty()) {
      throw malformed("lacks " + missing());
    }
    if (lastTask.getAsLong() == Long.MAX_VALUE) {
      throw malformed(
          Text.of("last_task is %d, expected less than 2^63 - 1", lastTask.getAsLong()));
    }
    checkOrder(firstTask.getAsLong(), lastTask.getAsLong());
    if (hint.orElse(0) < 0) {
      throw malformed(Text.of("hint is %d, expected 0 or more bytes", hint.getAsLong()));
    }
    if (isTexture()) {
      if (alignment != 1 || offset.isPresent() || hint.isPresent() || !gaps.isEmpty()) {
        throw malformed("is a texture, expected a record without alignment, offset, hint and gaps");
      }
      if (reads.isPresent() || !bank.isEmpty()) {
        throw malformed("is a texture, expected a record without reads and bank");
      }
      if (inPlaceOf.isPresent()) {
        throw malformed("is a texture, expected a record without in_place_of");
      }
      return;
    }
    long bytes = size.getFirst();
    for (Gap gap : gaps) {
      if (0 <= bytes && bytes < gap.windowEnd()) {
        throw malformed(
            Text.of(
                "the window [%d, %d] of a gap exceeds the %s of the record",
                gap.windowStart(), gap.windowEnd(), Numbers.count(bytes, "byte")));
      }
    }
  }

  private String missing() {
    List<String> missing = new ArrayList<>();
    if (size.isEmpty()) {
      missing.add("size");
    }
    if (firstTask.isEmpty()) {
      missing.add("first_task");
    }
    if (lastTask.isEmpty()) {
      missing.add("last_task");
    }
    return String.join(", ", missing);
  }

  private static void checkOrder(long firstTask, long lastTask) {
    if (firstTask < 0 || firstTask > lastTask) {
      throw new IllegalArgumentException(
          Text.of(
              "first_task is %d and last_task is %d, expected 0 or more, and last_task not before first_task",
              firstTask, lastTask));
    }
  }

  /** {@return an error of this record} */
  MalformedFileException malformed(String problem) {
    return values.malformed(Text.of("record %d: %s", index, problem));
  }

  boolean isTexture() {
    return size.size() > 1;
  }

  void addTo(ProblemTensors tensors) throws MalformedFileException {
    sizeExpression.ifPresent(text -> tensors.sizes().add(index, text));
    tensors.add(
        TensorUsageRecord.of(size.getFirst(), firstTask.orElseThrow(), lastTask.orElseThrow())
            .withName(name.orElse(""))
            .withAlignment(alignment)
            .withGaps(gaps),
        new ProblemTensors.Extras(offset, hint, reads, bank),
        this::malformed);
  }

  void addLabelTo(ProblemTensors tensors) {
    String known = id.orElse(Integer.toString(index));
    tensors.addLabel(
        new RecordLabel(known, name.orElse(known)), inPlaceOf, values.place(), "record " + index);
  }

  TextureUsageRecord toTexture() {
    TextureExtent extent =
        size.size() == 2
            ? TextureExtent.of(size.get(0), size.get(1))
            : TextureExtent.of(size.get(0), size.get(1), size.get(2));
    return new TextureUsageRecord(extent, firstTask.orElseThrow(), lastTask.orElseThrow());
  }
}
