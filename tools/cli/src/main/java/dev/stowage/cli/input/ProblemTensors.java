package dev.stowage.cli.input;

import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.Gap;
import dev.stowage.plan.InPlace;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.RangedProblem;
import dev.stowage.plan.shapes.SizeExpression;
import dev.stowage.plan.textures.TextureExtent;
import dev.stowage.plan.textures.TextureUsageRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The records of a problem in CSV or JSON that a reader has read so far, and their plan. */
final class ProblemTensors {

  /*
   * In a problem, offsets are pins. In a plan, they are the plan. An id of in_place_of may come later in the file,
   * so these are found at the end.
   */

  private static final String NO_OFFSET =
      "has no offset, expected one for every record; stowage plan FILE --output plan.csv writes such a plan";

  private final String source;
  private final boolean isPlan;

  /** The dimensions of the command line. */
  private final GivenDimensions given;

  private final Map<String, DimensionRange> ranges = new LinkedHashMap<>();

  /** The sizes that depend on dimensions, by the indices of the records. */
  private final Map<Integer, SizeExpression> sizes = new HashMap<>();

  private final Map<Integer, ProblemRecord> inPlace = new LinkedHashMap<>();
  private final List<RecordLabel> labels = new ArrayList<>();
  private final List<TensorUsageRecord> records = new ArrayList<>();
  private final List<TextureUsageRecord> textures = new ArrayList<>();
  private final List<Long> reads = new ArrayList<>();
  private boolean hasReads;
  private final Map<Integer, String> banks = new HashMap<>();
  private final List<Long> offsets = new ArrayList<>();

  /**
   * Creates an empty problem.
   *
   * @param isPlan true if the offsets are the plan; each record must then have an offset
   */
  ProblemTensors(String source, boolean isPlan, GivenDimensions given) {
    this.source = source;
    this.isPlan = isPlan;
    this.given = given;
    given.ranges().ranges().forEach(range -> ranges.put(range.name(), range));
  }

  /** Adds the range of a dimension in the file, unless the command line sets the dimension. */
  void declare(String name, ProblemRecord.Size bounds) throws MalformedFileException {
    try {
      List<Long> numbers = bounds.numbers();
      if (numbers.isEmpty() || numbers.size() > 2) {
        throw new IllegalArgumentException("expected a range [first, last]");
      }
      DimensionRange range = new DimensionRange(name, numbers.getFirst(), numbers.getLast());
      if (!given.empty().contains(name)) {
        ranges.putIfAbsent(name, range);
      }
    } catch (IllegalArgumentException e) {
      throw new MalformedFileException(
          source,
          "dimensions",
          Text.of("'%s': %s", MalformedFileException.excerpt(name), e.getMessage()));
    }
  }

  /**
   * Adds a record.
   *
   * @throws MalformedFileException if a property is out of its range or contradicts another, or if
   *     the offset of a plan is missing
   */
  void add(ProblemRecord record) throws MalformedFileException {
    try {
      if (record.size().isExtent()) {
        addTexture(record);
      } else {
        addTensor(record);
      }
      if (!records.isEmpty() && !textures.isEmpty()) {
        throw new IllegalArgumentException(
            "sizes are bytes in one record and an extent in another, expected one kind");
      }
    } catch (IllegalArgumentException e) {
      throw malformed(labels.size(), record, String.valueOf(e.getMessage()));
    }
    if (record.inPlaceOf().isPresent()) {
      inPlace.put(labels.size(), record);
    }
    String id = record.id().orElse(Integer.toString(labels.size()));
    labels.add(new RecordLabel(id, record.name().orElse(id)));
  }

  private MalformedFileException malformed(int index, ProblemRecord record, String problem) {
    String label =
        record
            .id()
            .map(id -> "'" + MalformedFileException.excerpt(id) + "'")
            .orElse(Integer.toString(index));
    return new MalformedFileException(source, record.place(), "record " + label + ": " + problem);
  }

  private void addTexture(ProblemRecord record) {
    boolean hasBytesOnly =
        Stream.of(record.alignment(), record.offset(), record.hint(), record.reads())
                .anyMatch(OptionalLong::isPresent)
            || record.gaps().isPresent()
            || record.inPlaceOf().isPresent()
            || record.bank().isPresent();
    if (hasBytesOnly) {
      throw new IllegalArgumentException(
          "is a texture, expected a record without alignment, offset, hint, gaps, in_place_of, reads and bank");
    }
    List<Long> sides = record.size().numbers();
    TextureExtent extent =
        sides.size() == 2
            ? TextureExtent.of(sides.get(0), sides.get(1))
            : TextureExtent.of(sides.get(0), sides.get(1), sides.get(2));
    textures.add(new TextureUsageRecord(extent, record.firstTask(), record.last()));
    boolean hasDepth = textures.getFirst().extent().depth().isPresent();
    if (extent.depth().isPresent() != hasDepth) {
      throw new IllegalArgumentException(
          Text.of(
              "expected %d dimensions, the number of dimensions of record 0", hasDepth ? 3 : 2));
    }
  }

  private void addTensor(ProblemRecord record) {
    int index = records.size();
    checkNotNegative("reads", record.reads());
    long bytes = bytes(record.size());
    TensorUsageRecord added =
        TensorUsageRecord.of(bytes, record.firstTask(), record.last())
            .withName(record.name().orElse(""))
            .withAlignment(record.alignment().orElse(1))
            .withGaps(gaps(record));
    OptionalLong hint = minusOneAsEmpty(record.hint());
    checkNotNegative("hint", hint);
    if (hint.isPresent()) {
      added = added.withHint(hint.getAsLong());
    }
    OptionalLong given = minusOneAsEmpty(record.offset());
    if (isPlan) {
      long offset = given.orElseThrow(() -> new IllegalArgumentException(NO_OFFSET));
      if (offset < 0 || bytes > Long.MAX_VALUE - offset) {
        throw new IllegalArgumentException(
            Text.of("offset is %d, expected 0 or more and an end below 2^63", offset));
      }
      offsets.add(offset);
    } else if (given.isPresent()) {
      added = added.pinnedAt(given.getAsLong());
    }
    record.bank().ifPresent(bank -> banks.put(index, bank));
    hasReads |= record.reads().isPresent();
    reads.add(record.reads().orElse(1));
    records.add(added);
  }

  private static OptionalLong minusOneAsEmpty(OptionalLong value) {
    return value.orElse(0) == -1 ? OptionalLong.empty() : value;
  }

  private static void checkNotNegative(String name, OptionalLong number) {
    if (number.orElse(0) < 0) {
      throw new IllegalArgumentException(
          Text.of("%s is %d, expected 0 or more", name, number.getAsLong()));
    }
  }

  /** {@return the size of the next record, or 0 if it depends on dimensions} */
  private long bytes(ProblemRecord.Size size) {
    if (!size.numbers().isEmpty()) {
      return size.bytes();
    }
    SizeExpression expression = SizeExpression.parse(size.expression());
    if (expression.constant().isPresent()) {
      return expression.constant().getAsLong();
    }
    for (String name : expression.dimensions()) {
      if (!ranges.containsKey(name)) {
        String dimension = MalformedFileException.excerpt(name);
        throw new IllegalArgumentException(
            Text.of(
                "size is '%s', expected a whole number below 2^63, or a range of 1 or more for '%s' such as --dim %s=1..32",
                MalformedFileException.excerpt(size.expression()), dimension, dimension));
      }
    }
    sizes.put(records.size(), expression);
    return 0;
  }

  private List<Gap> gaps(ProblemRecord record) {
    List<Gap> gaps = record.pauses();
    if (sizes.containsKey(records.size()) && gaps.stream().anyMatch(gap -> gap.windowEnd() > 0)) {
      throw new IllegalArgumentException(
          "a record with a window in a gap must have a size without dimensions");
    }
    return gaps;
  }

  /**
   * {@return the problem}
   *
   * @param file the properties of the problem beside its records
   * @param textNotes sentences on the text of the file
   */
  PlanInput input(String format, ProblemFile file, List<String> textNotes)
      throws MalformedFileException {
    long taskCount =
        1
            + LongStream.concat(
                    records.stream().mapToLong(TensorUsageRecord::lastTask),
                    textures.stream().mapToLong(TextureUsageRecord::lastTask))
                .max()
                .orElse(-1);
    List<String> notes = new ArrayList<>(textNotes);
    notes.addAll(unusedDimensions());
    InputFile properties = new InputFile(source, format, taskCount, file.capacity(), notes);
    try {
      if (file.capacity().orElse(0) < 0) {
        throw new IllegalArgumentException(
            Text.of("capacity is %d, expected 0 or more bytes", file.capacity().getAsLong()));
      }
      Optional<ReuseGraph> graph = graph(file);
      if (!textures.isEmpty()) {
        PlanInput.Textures input = new PlanInput.Textures(properties, labels, textures, graph);
        input.planned(); // rejects a graph that contradicts the textures
        return input;
      }
      PlanProblem problem = new PlanProblem(records, 1, graph).withInPlace(pairs());
      BankFields bankFields = new BankFields(hasReads ? reads : List.of(), banks);
      if (sizes.isEmpty()) {
        return new PlanInput.Tensors(properties, labels, problem, bankFields);
      }
      RangedProblem ranged = ranged(problem);
      return new PlanInput.Tensors(properties, labels, ranged.largest(), bankFields)
          .withRanges(ranged);
    } catch (IllegalArgumentException e) {
      throw new MalformedFileException(source, String.valueOf(e.getMessage()));
    }
  }

  private Optional<ReuseGraph> graph(ProblemFile file) {
    if (file.usageGraph().isPresent() && file.reallocationGraph().isPresent()) {
      throw new IllegalArgumentException(
          "has both a usage_graph and a reallocation_graph, expected one of them");
    }
    int lists =
        file.usageGraph().or(file::reallocationGraph).map(it -> it.length).orElse(labels.size());
    if (lists != labels.size()) {
      // A graph takes memory quadratic in its lists, so their number is checked first.
      throw new IllegalArgumentException(
          Text.of(
              "the graph has %s for %s, expected one for each",
              Numbers.count(lists, "list"), Numbers.count(labels.size(), "record")));
    }
    return file.usageGraph()
        .map(ReuseGraph::ofUsage)
        .or(() -> file.reallocationGraph().map(ReuseGraph::ofReallocation));
  }

  private List<InPlace> pairs() throws MalformedFileException {
    Map<String, List<Integer>> indices = new HashMap<>();
    for (int i = 0; !inPlace.isEmpty() && i < labels.size(); i++) {
      indices.computeIfAbsent(labels.get(i).id(), key -> new ArrayList<>(1)).add(i);
    }
    List<InPlace> pairs = new ArrayList<>();
    for (var entry : inPlace.entrySet()) {
      String id = entry.getValue().inPlaceOf().orElseThrow();
      List<Integer> named = indices.getOrDefault(id, List.of());
      if (named.size() != 1) {
        throw malformed(
            entry.getKey(),
            entry.getValue(),
            Text.of(
                "in_place_of is '%s', which %s, expected the id of one record",
                MalformedFileException.excerpt(id),
                named.isEmpty() ? "no record has" : named.size() + " records have"));
      }
      pairs.add(new InPlace(entry.getKey(), named.getFirst()));
    }
    return pairs;
  }

  private Set<String> usedDimensions() {
    Set<String> used = new LinkedHashSet<>();
    sizes.values().forEach(size -> used.addAll(size.dimensions()));
    return used;
  }

  /** {@return a note on dimensions of the command line that no size depends on, if any} */
  private List<String> unusedDimensions() {
    Set<String> used = usedDimensions();
    List<String> unused =
        Stream.concat(
                given.ranges().ranges().stream().map(DimensionRange::name),
                given.empty().stream().sorted())
            .filter(name -> !used.contains(name))
            .map(name -> "'" + MalformedFileException.excerpt(name) + "'")
            .toList();
    return unused.isEmpty()
        ? List.of()
        : List.of("no size depends on --dim " + String.join(", ", unused));
  }

  /** {@return the problem for all shapes} */
  private RangedProblem ranged(PlanProblem problem) {
    List<SizeExpression> all = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      SizeExpression size = sizes.get(i);
      all.add(size == null ? SizeExpression.of(records.get(i).bytes()) : size);
    }
    Set<String> used = usedDimensions();
    return RangedProblem.of(
        problem,
        all,
        new DimensionRanges(
            ranges.values().stream().filter(range -> used.contains(range.name())).toList()));
  }

  /** {@return the problem with the plan in its offsets} */
  PlacedInput plan(PlanInput input) throws MalformedFileException {
    if (!(input instanceof PlanInput.Tensors tensors)) {
      throw new MalformedFileException(
          source, "has textures, which have no offsets; expected sizes in bytes");
    }
    List<TensorUsageRecord> planned = tensors.problem().records();
    for (int i = 0; i < planned.size(); i++) {
      if (planned.get(i).bytes() > Long.MAX_VALUE - offsets.get(i)) {
        throw new MalformedFileException(source, planned.get(i).label(i) + " ends above 2^63 - 1");
      }
    }
    long[] all = offsets.stream().mapToLong(Long::longValue).toArray();
    return new PlacedInput(tensors, OffsetsAssignment.inSmallestArena(tensors.problem(), all));
  }
}
