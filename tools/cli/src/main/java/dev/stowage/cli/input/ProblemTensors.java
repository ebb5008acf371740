package dev.stowage.cli.input;

import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.Gap;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.shapes.RangedProblem;
import dev.stowage.plan.textures.TextureExtent;
import dev.stowage.plan.textures.TextureUsageRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The records of a problem in CSV or JSON that a reader has read so far, and their plan. */
final class ProblemTensors {

  /*
   * In a problem, offsets are pins. In a plan, they are the plan.
   */

  private static final String NO_OFFSET =
      "has no offset, expected one for every record; stowage plan FILE --output plan.csv writes such a plan";

  private final String source;
  private final boolean isPlan;
  private final RangedSizes sizes;
  private final InPlaceReferences references;
  private final List<RecordLabel> labels = new ArrayList<>();
  private final List<TensorUsageRecord> records = new ArrayList<>();
  private final List<TextureUsageRecord> textures = new ArrayList<>();
  private final List<Long> reads = new ArrayList<>();
  private boolean hasReads;
  private final Map<Integer, String> banks = new HashMap<>();
  private final List<Long> offsets = new ArrayList<>();

  /** A graph of the records. The graph of the file may be wrong. */
  interface Graph {
    Optional<ReuseGraph> get() throws MalformedFileException;
  }

  /**
   * Creates an empty problem.
   *
   * @param isPlan true if the offsets are the plan; each record must then have an offset
   */
  ProblemTensors(String source, boolean isPlan, GivenDimensions dimensions) {
    this.source = source;
    this.isPlan = isPlan;
    sizes = new RangedSizes(source, dimensions);
    references = new InPlaceReferences(source);
  }

  RangedSizes sizes() {
    return sizes;
  }

  List<RecordLabel> labels() {
    return labels;
  }

  /**
   * Adds a record.
   *
   * @param label the record in messages
   * @param place returns the place of the record in the file
   * @throws IllegalArgumentException if a property is out of its range or contradicts another, or
   *     if the offset of a plan is missing
   */
  void add(ProblemRecord record, String id, String label, Supplier<String> place) {
    if (record.lastTask() == Long.MAX_VALUE) {
      throw new IllegalArgumentException(
          Text.of("the last task is %d, expected less than 2^63 - 1", Long.MAX_VALUE));
    }
    if (record.size().isExtent()) {
      addTexture(record);
    } else {
      addTensor(record, label, place);
    }
    if (!records.isEmpty() && !textures.isEmpty()) {
      throw new IllegalArgumentException(
          "sizes are bytes in one record and an extent in another, expected one kind");
    }
    if (record.inPlaceOf().isPresent()) {
      references.add(labels.size(), record.inPlaceOf().get(), place.get(), label);
    }
    labels.add(new RecordLabel(id, record.name().orElse(id)));
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
    textures.add(new TextureUsageRecord(extent, record.firstTask(), record.lastTask()));
    boolean hasDepth = textures.getFirst().extent().depth().isPresent();
    if (extent.depth().isPresent() != hasDepth) {
      throw new IllegalArgumentException(
          Text.of(
              "expected %d dimensions, the number of dimensions of record 0", hasDepth ? 3 : 2));
    }
  }

  private void addTensor(ProblemRecord record, String label, Supplier<String> place) {
    int index = records.size();
    checkNotNegative("hint", record.hint());
    checkNotNegative("reads", record.reads());
    ProblemRecord.Size size = record.size();
    long bytes =
        size.numbers().isEmpty()
            ? sizes.add(index, size.expression(), place.get(), label)
            : size.numbers().getFirst();
    TensorUsageRecord added =
        TensorUsageRecord.of(bytes, record.firstTask(), record.lastTask())
            .withName(record.name().orElse(""))
            .withAlignment(record.alignment().orElse(1));
    if (record.gaps().isPresent()) {
      added = added.withGaps(gaps(record.gaps().get(), sizes.dependsOnDimensions(index)));
    }
    if (record.hint().isPresent()) {
      added = added.withHint(record.hint().getAsLong());
    }
    if (isPlan) {
      long offset = record.offset().orElseThrow(() -> new IllegalArgumentException(NO_OFFSET));
      if (offset < 0 || bytes > Long.MAX_VALUE - offset) {
        throw new IllegalArgumentException(
            Text.of("offset is %d, expected 0 or more and an end below 2^63", offset));
      }
      offsets.add(offset);
    } else if (record.offset().isPresent()) {
      added = added.pinnedAt(record.offset().getAsLong());
    }
    record.bank().ifPresent(bank -> banks.put(index, bank));
    hasReads |= record.reads().isPresent();
    reads.add(record.reads().orElse(1));
    records.add(added);
  }

  private static void checkNotNegative(String name, OptionalLong number) {
    if (number.orElse(0) < 0) {
      throw new IllegalArgumentException(
          Text.of("%s is %d, expected 0 or more", name, number.getAsLong()));
    }
  }

  private static List<Gap> gaps(List<ProblemRecord.Pause> pauses, boolean dependsOnDimensions) {
    if (dependsOnDimensions && pauses.stream().anyMatch(pause -> pause.window().isPresent())) {
      throw new IllegalArgumentException(
          "a record with a window in a gap must have a size without dimensions");
    }
    return pauses.stream().map(ProblemRecord.Pause::gap).toList();
  }

  /** {@return the problem; its notes are about the text of the file} */
  PlanInput input(String format, OptionalLong capacity, List<String> textNotes, Graph graph)
      throws MalformedFileException {
    long taskCount =
        1
            + LongStream.concat(
                    records.stream().mapToLong(TensorUsageRecord::lastTask),
                    textures.stream().mapToLong(TextureUsageRecord::lastTask))
                .max()
                .orElse(-1);
    List<String> notes = new ArrayList<>(textNotes);
    notes.addAll(sizes.notes());
    InputFile file = new InputFile(source, format, taskCount, capacity, notes);
    try {
      if (!textures.isEmpty()) {
        PlanInput.Textures input = new PlanInput.Textures(file, labels, textures, graph.get());
        input.planned(); // rejects a graph that contradicts the textures
        return input;
      }
      PlanProblem problem =
          new PlanProblem(records, 1, graph.get()).withInPlace(references.pairs(labels));
      BankFields bankFields = new BankFields(hasReads ? reads : List.of(), banks);
      if (sizes.isEmpty()) {
        return new PlanInput.Tensors(file, labels, problem, bankFields);
      }
      RangedProblem ranged = sizes.of(problem);
      return new PlanInput.Tensors(file, labels, ranged.largest(), bankFields).withRanges(ranged);
    } catch (IllegalArgumentException e) {
      throw new MalformedFileException(source, String.valueOf(e.getMessage()));
    }
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
