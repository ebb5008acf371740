package dev.stowage.cli.input;

import dev.stowage.pages.label.RecordLabel;
import dev.stowage.plan.Gap;
import dev.stowage.plan.InPlace;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.LayoutOffset;
import dev.stowage.plan.shapes.SizeExpression;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * A reader of problems in CSV, MiniMalloc's format.
 *
 * <p>The header names {@code id}, {@code lower}, {@code upper} and {@code size} in any order.
 * Lifetimes are half-open, unless the column is {@code end}. Optional columns are {@code
 * alignment}, {@code offset} (a pin, or the offset of a plan), {@code gaps}, {@code hint}, {@code
 * in_place_of}, {@code reads}, {@code bank} and {@code name}.
 */
final class ProblemCsvReader {

  private static final int MAX_NAMED_COLUMNS = 10;

  private final String source;
  private final CsvRows rows;

  /** The offsets of a plan; empty if offsets are pins. */
  private final Optional<PlanOffsets> plan;

  private final Map<CsvColumn, Integer> positions = new EnumMap<>(CsvColumn.class);
  private int columnCount;

  private final List<String> notes = new ArrayList<>();
  private final List<RecordLabel> labels = new ArrayList<>();
  private final List<TensorUsageRecord> records = new ArrayList<>();
  private final BankFieldsReader banks = new BankFieldsReader();
  private final InPlaceReferences references;
  private final SymbolicSizes sizes;

  /** The columns of layouts, in their order. */
  private final List<LayoutColumn> layouts = new ArrayList<>();

  /** The offsets of a plan that are formulas, by record. */
  private final Map<Integer, LayoutOffset> formulas = new HashMap<>();

  /** A column with the formulas of a layout. */
  private record LayoutColumn(int position, DimensionRanges ranges, List<LayoutOffset> offsets) {}

  private ProblemCsvReader(
      String source, Reader reader, Optional<PlanOffsets> plan, GivenDimensions dimensions)
      throws IOException {
    this.source = source;
    this.plan = plan;
    references = new InPlaceReferences(source);
    sizes = new SymbolicSizes(source, dimensions);
    rows = new CsvRows(source, reader);
  }

  static FileInput read(String source, Reader reader, GivenDimensions dimensions)
      throws IOException {
    return new ProblemCsvReader(source, reader, Optional.empty(), dimensions).read();
  }

  static FilePlan readPlan(String source, Reader reader, GivenDimensions dimensions)
      throws IOException {
    PlanOffsets plan = new PlanOffsets();
    ProblemCsvReader csv = new ProblemCsvReader(source, reader, Optional.of(plan), dimensions);
    return switch (csv.read()) {
      case PlanInput.Tensors tensors -> csv.placed(tensors, plan);
      case PlanInput.Textures textures -> throw new AssertionError("CSV has no textures");
      case ShapesInput shapes ->
          new PlacedShapes(shapes, csv.shapeOffsets(plan).toLayouts(source, shapes.problem()));
    };
  }

  private PlacedInput placed(PlanInput.Tensors input, PlanOffsets plan)
      throws MalformedFileException {
    if (!formulas.isEmpty() || !layouts.isEmpty()) {
      throw new MalformedFileException(
          source,
          "has formulas of offsets, but no size depends on a dimension with a range; expected one such as --dim batch=1..32");
    }
    return new PlacedInput(input, plan.toAssignment());
  }

  private ShapeOffsets shapeOffsets(PlanOffsets plan) {
    ShapeOffsets offsets = new ShapeOffsets();
    for (LayoutColumn layout : layouts) {
      offsets.add(layout.ranges, layout.offsets, OptionalLong.empty());
    }
    if (layouts.isEmpty()) {
      List<LayoutOffset> column = new ArrayList<>();
      for (int i = 0; i < records.size(); i++) {
        LayoutOffset formula = formulas.get(i);
        column.add(formula == null ? LayoutOffset.of(SizeExpression.of(plan.offset(i))) : formula);
      }
      offsets.add(DimensionRanges.of(), column, OptionalLong.empty());
    }
    return offsets;
  }

  private FileInput read() throws IOException {
    readHeader();
    for (Optional<List<String>> row = rows.next(); row.isPresent(); row = rows.next()) {
      List<String> fields = row.get();
      boolean isBlank = fields.size() == 1 && fields.getFirst().isEmpty();
      if (!isBlank) {
        readRow(fields);
      }
    }
    long lastTask = records.stream().mapToLong(TensorUsageRecord::lastTask).max().orElse(-1);
    notes.addAll(sizes.notes());
    InputFile file = new InputFile(source, "csv", lastTask + 1, OptionalLong.empty(), notes);
    List<InPlace> inPlace = references.pairs(labels, records);
    try {
      if (sizes.isOpen()) {
        if (!inPlace.isEmpty()) {
          notes.add(SymbolicSizes.IN_PLACE_NOTE);
        }
        return new ShapesInput(file, labels, sizes.problem(records, labels));
      }
      PlanProblem problem = PlanProblem.of(sizes.fixed(records)).withInPlace(inPlace);
      return new PlanInput.Tensors(file, labels, problem, banks.fields());
    } catch (IllegalArgumentException e) {
      throw new MalformedFileException(source, String.valueOf(e.getMessage()));
    }
  }

  private void readHeader() throws IOException {
    List<String> names =
        rows.next()
            .orElseThrow(() ->
                new MalformedFileException(
                    source, "is empty, expected a header with id, lower, upper and size"));
    columnCount = names.size();
    Set<String> ignored = new TreeSet<>();
    for (int position = 0; position < names.size(); position++) {
      String name = names.get(position);
      CsvColumn column = CsvColumn.named(name).orElse(null);
      if (column == null && isLayout(name)) {
        addLayout(name, position);
      } else if (column == null) {
        if (ignored.size() < MAX_NAMED_COLUMNS) {
          ignored.add("'" + MalformedFileException.excerpt(name) + "'");
        }
      } else if (positions.put(column, position) != null) {
        throw rows.malformed(
            String.format(
                Locale.ROOT, "has the column '%s' twice, expected once", column.writtenName()));
      }
    }
    checkColumns(names);
    if (!ignored.isEmpty()) {
      notes.add("unknown columns are ignored: " + String.join(", ", ignored));
    }
  }

  private static boolean isLayout(String name) {
    return name.strip().startsWith("offset[") && name.strip().endsWith("]");
  }

  /** Adds a column with the offsets of a layout: {@code offset[batch=1..8 seq=1..512]}. */
  private void addLayout(String name, int position) throws MalformedFileException {
    String text = name.strip();
    try {
      DimensionRanges ranges =
          RangeText.parse(text.substring(text.indexOf('[') + 1, text.length() - 1));
      ranges.ranges().forEach(sizes::declare);
      layouts.add(new LayoutColumn(position, ranges, new ArrayList<>()));
    } catch (IllegalArgumentException e) {
      throw rows.malformed(
          String.format(
              Locale.ROOT,
              "column '%s': %s",
              MalformedFileException.excerpt(text),
              e.getMessage()));
    }
  }

  private void checkColumns(List<String> names) throws MalformedFileException {
    boolean hasEnd = positions.containsKey(CsvColumn.UPPER) != positions.containsKey(CsvColumn.END);
    if (!hasEnd
        || !positions.containsKey(CsvColumn.ID)
        || !positions.containsKey(CsvColumn.LOWER)
        || !positions.containsKey(CsvColumn.SIZE)) {
      throw rows.malformed(
          String.format(
              Locale.ROOT,
              "has the header '%s', expected id, lower, upper (exclusive) or end (inclusive), and size, separated by commas",
              MalformedFileException.excerpt(String.join(",", names))));
    }
  }

  private void readRow(List<String> fields) throws MalformedFileException {
    if (fields.size() != columnCount) {
      throw rows.malformed(
          String.format(Locale.ROOT, "expected %d fields, found %d", columnCount, fields.size()));
    }
    String id = field(fields, CsvColumn.ID);
    String name = field(fields, CsvColumn.NAME);
    long firstTask = number(fields, CsvColumn.LOWER);
    long lastTask = lastTask(fields, firstTask);
    OptionalLong alignment = optionalNumber(fields, CsvColumn.ALIGNMENT);
    OptionalLong offset = offset(fields);
    try {
      TensorUsageRecord record =
          TensorUsageRecord.of(size(fields), firstTask, lastTask)
              .withName(name)
              .withAlignment(alignment.orElse(1))
              .withGaps(gaps(field(fields, CsvColumn.GAPS)));
      if (plan.isEmpty() && offset.isPresent()) {
        record = record.pinnedAt(offset.getAsLong());
      }
      OptionalLong hint = minusOneAsEmpty(optionalNumber(fields, CsvColumn.HINT));
      if (hint.isPresent()) {
        record = record.withHint(hint.getAsLong());
      }
      if (plan.isPresent() && layouts.isEmpty()) {
        boolean isKnown = !sizes.dependsOnDimensions(records.size());
        plan.get().add(offset, isKnown ? record.bytes() : 0);
      }
      for (LayoutColumn layout : layouts) {
        layout.offsets.add(LayoutOffset.parse(fields.get(layout.position)));
      }
      records.add(record);
      banks.add(optionalNumber(fields, CsvColumn.READS), field(fields, CsvColumn.BANK));
    } catch (IllegalArgumentException e) {
      throw rows.malformed(
          String.format(
              Locale.ROOT, "record '%s': %s", MalformedFileException.excerpt(id), e.getMessage()));
    }
    String inPlaceOf = field(fields, CsvColumn.IN_PLACE_OF);
    if (!inPlaceOf.isEmpty()) {
      String label = "record '" + MalformedFileException.excerpt(id) + "'";
      references.add(labels.size(), inPlaceOf, rows.place(), label);
    }
    labels.add(new RecordLabel(id, name.isEmpty() ? id : name));
  }

  /** {@return the size, or {@link SymbolicSizes#LARGEST_BYTES} if it depends on dimensions} */
  private long size(List<String> fields) throws MalformedFileException {
    String text = field(fields, CsvColumn.SIZE);
    if (text.matches("-?[0-9]*")) {
      return number(text, CsvColumn.SIZE.writtenName());
    }
    SizeExpression size;
    try {
      size = SizeExpression.parse(text);
    } catch (IllegalArgumentException e) {
      if (sizes.hasDimensions()) {
        throw rows.malformed("column size: " + e.getMessage());
      }
      return number(text, CsvColumn.SIZE.writtenName()); // reports the text
    }
    for (String name : size.dimensions()) {
      if (!sizes.hasDimension(name)) {
        throw rows.malformed(
            String.format(
                Locale.ROOT,
                "column size is '%s', expected a whole number below 2^63, or a range of '%s' such as --dim %s=1..32",
                MalformedFileException.excerpt(text),
                MalformedFileException.excerpt(name),
                MalformedFileException.excerpt(name)));
      }
    }
    return sizes.add(records.size(), text);
  }

  /** {@return the offset; 0 if it is a formula of a plan} */
  private OptionalLong offset(List<String> fields) throws MalformedFileException {
    String text = field(fields, CsvColumn.OFFSET);
    if (plan.isPresent() && !text.matches("-?[0-9]*")) {
      try {
        formulas.put(records.size(), LayoutOffset.parse(text));
        return OptionalLong.of(0);
      } catch (IllegalArgumentException e) {
        return OptionalLong.of(number(text, CsvColumn.OFFSET.writtenName())); // reports the text
      }
    }
    return minusOneAsEmpty(optionalNumber(fields, CsvColumn.OFFSET));
  }

  private long lastTask(List<String> fields, long firstTask) throws MalformedFileException {
    if (positions.containsKey(CsvColumn.END)) {
      long end = number(fields, CsvColumn.END);
      if (end == Long.MAX_VALUE) {
        throw rows.malformed(
            String.format(Locale.ROOT, "column end is %d, expected less than 2^63 - 1", end));
      }
      return end;
    }
    long upper = number(fields, CsvColumn.UPPER);
    if (upper <= firstTask) {
      throw rows.malformed(
          String.format(
              Locale.ROOT,
              "column upper is %d, expected more than lower, which is %d",
              upper,
              firstTask));
    }
    return upper - 1;
  }

  /** In MiniMalloc's files, -1 means no value. */
  private static OptionalLong minusOneAsEmpty(OptionalLong value) {
    return value.isPresent() && value.getAsLong() == -1 ? OptionalLong.empty() : value;
  }

  /** {@return the gaps of a field: {@code lo-hi} or {@code lo-hi@wlo:whi}, separated by spaces} */
  private List<Gap> gaps(String field) throws MalformedFileException {
    List<Gap> gaps = new ArrayList<>();
    if (field.isEmpty()) {
      return gaps;
    }
    for (String text : field.split("\\s+", -1)) {
      String[] parts = text.split("[-@:]", -1);
      String shape = text.replaceAll("[0-9]+", "N");
      if (!shape.equals("N-N") && !shape.equals("N-N@N:N")) {
        throw rows.malformed(
            String.format(
                Locale.ROOT,
                "column gaps has '%s', expected LOWER-UPPER or LOWER-UPPER@START:END",
                MalformedFileException.excerpt(text)));
      }
      long first = number(parts[0], "gaps");
      long last = number(parts[1], "gaps") - (positions.containsKey(CsvColumn.END) ? 0 : 1);
      gaps.add(
          parts.length == 2
              ? Gap.of(first, last)
              : new Gap(first, last, number(parts[2], "gaps"), number(parts[3], "gaps")));
    }
    return gaps;
  }

  private String field(List<String> fields, CsvColumn column) {
    Integer position = positions.get(column);
    return position == null ? "" : fields.get(position);
  }

  private OptionalLong optionalNumber(List<String> fields, CsvColumn column)
      throws MalformedFileException {
    return field(fields, column).isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(number(fields, column));
  }

  private long number(List<String> fields, CsvColumn column) throws MalformedFileException {
    return number(field(fields, column), column.writtenName());
  }

  private long number(String text, String column) throws MalformedFileException {
    OptionalLong number = WholeNumber.parse(text);
    if (number.isEmpty()) {
      throw rows.malformed(
          String.format(
              Locale.ROOT,
              "column %s is '%s', expected a whole number below 2^63",
              column,
              MalformedFileException.excerpt(text)));
    }
    return number.getAsLong();
  }
}
