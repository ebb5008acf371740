package dev.stowage.cli.input;

import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.InPlace;
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
import java.util.stream.LongStream;

/** The records of a problem in CSV or JSON that a reader has read so far, and their plan. */
final class ProblemTensors {

  /*
   * In a problem, offsets are pins. In a plan, they are the plan.
   */

  private static final String NO_OFFSET =
      "has no offset, expected one for every record; stowage plan FILE --output plan.csv writes such a plan";

  /** The message on the files of layouts of earlier versions. */
  static final String FORMULAS =
      "has formulas of offsets, which Stowage no longer reads; plan the problem again: stowage plan FILE --dim NAME=FIRST..LAST --output plan.csv";

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
  private long totalBytes;

  /** A graph of the records, which may be wrong. */
  interface Graph {
    Optional<ReuseGraph> get() throws MalformedFileException;
  }

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
   * @param place the place of the record in the file, if it is in place of another one
   * @throws IllegalArgumentException if a property is out of its range or contradicts another, or
   *     if the offset of a plan is missing
   */
  void add(ProblemRecord record, String id, String label, String place) {
    if (record.lastTask().orElseThrow() == Long.MAX_VALUE) {
      throw new IllegalArgumentException(
          Text.of("the last task is %d, expected less than 2^63 - 1", Long.MAX_VALUE));
    }
    if (record.size().orElseThrow().isExtent()) {
      addTexture(record);
    } else {
      addTensor(record);
    }
    if (!records.isEmpty() && !textures.isEmpty()) {
      throw new IllegalArgumentException(
          "sizes are bytes in one record and an extent in another, expected one kind");
    }
    record.inPlaceOf().ifPresent(other -> references.add(labels.size(), other, place, label));
    labels.add(new RecordLabel(id, record.name().orElse(id)));
  }

  private void addTexture(ProblemRecord record) {
    boolean hasBytesOnly =
        record.alignment().isPresent()
            || record.offset().isPresent()
            || record.hint().isPresent()
            || record.gaps().isPresent()
            || record.inPlaceOf().isPresent()
            || record.reads().isPresent()
            || record.bank().isPresent();
    if (hasBytesOnly) {
      throw new IllegalArgumentException(
          "is a texture, expected a record without alignment, offset, hint, gaps, in_place_of, reads and bank");
    }
    List<Long> sides = record.size().orElseThrow().numbers();
    TextureExtent extent =
        sides.size() == 2
            ? TextureExtent.of(sides.get(0), sides.get(1))
            : TextureExtent.of(sides.get(0), sides.get(1), sides.get(2));
    textures.add(
        new TextureUsageRecord(
            extent, record.firstTask().orElseThrow(), record.lastTask().orElseThrow()));
    boolean hasDepth = textures.getFirst().extent().depth().isPresent();
    if (extent.depth().isPresent() != hasDepth) {
      throw new IllegalArgumentException(
          Text.of(
              "expected %d dimensions, the number of dimensions of record 0", hasDepth ? 3 : 2));
    }
  }

  private void addTensor(ProblemRecord record) {
    int index = records.size();
    ProblemRecord.Size size = record.size().orElseThrow();
    long bytes =
        size.numbers().isEmpty() ? sizes.add(index, size.expression()) : size.numbers().getFirst();
    TensorUsageRecord added =
        TensorUsageRecord.of(
                bytes, record.firstTask().orElseThrow(), record.lastTask().orElseThrow())
            .withName(record.name().orElse(""))
            .withAlignment(record.alignment().orElse(1));
    if (record.gaps().isPresent()) {
      added = added.withGaps(record.gaps().get().stream().map(ProblemRecord.Pause::gap).toList());
    }
    if (record.hint().isPresent()) {
      added = added.withHint(record.hint().getAsLong());
    }
    if (isPlan) {
      long offset = record.offset().orElseThrow(() -> new IllegalArgumentException(NO_OFFSET));
      addOffset(offset, sizes.dependsOnDimensions(index) ? 0 : bytes);
    } else if (record.offset().isPresent()) {
      added = added.pinnedAt(record.offset().getAsLong());
    }
    if (record.hint().orElse(0) < 0) {
      throw new IllegalArgumentException(
          Text.of("hint is %d, expected 0 or more bytes", record.hint().getAsLong()));
    }
    if (record.reads().orElse(0) < 0) {
      throw new IllegalArgumentException(
          Text.of("reads is %d, expected 0 or more", record.reads().getAsLong()));
    }
    record.bank().ifPresent(bank -> banks.put(index, bank));
    hasReads |= record.reads().isPresent();
    reads.add(record.reads().orElse(1));
    records.add(added);
  }

  private void addOffset(long start, long bytes) {
    if (start < 0 || bytes > Long.MAX_VALUE - start) {
      throw new IllegalArgumentException(
          Text.of(
              "has an offset outside of any arena, expected 0 or more and an end below 2^63: offset=%d, bytes=%d",
              start, bytes));
    }
    offsets.add(start);
    totalBytes = Math.max(totalBytes, start + bytes);
  }

  private OffsetsAssignment assignment() {
    long[] all = offsets.stream().mapToLong(Long::longValue).toArray();
    return OffsetsAssignment.of(all, totalBytes);
  }

  /** {@return the problem; the notes are those on the text of the file} */
  PlanInput input(String format, OptionalLong capacity, List<String> textNotes, Graph graph)
      throws MalformedFileException {
    long taskCount =
        1
            + LongStream.concat(
                    records.stream().mapToLong(TensorUsageRecord::lastTask),
                    textures.stream().mapToLong(TextureUsageRecord::lastTask))
                .max()
                .orElse(-1);
    List<InPlace> inPlace = references.pairs(labels, records);
    List<String> notes = new ArrayList<>(textNotes);
    notes.addAll(sizes.notes());
    InputFile file = new InputFile(source, format, taskCount, capacity, notes);
    BankFields bankFields = new BankFields(hasReads ? reads : List.of(), banks);
    try {
      if (!textures.isEmpty()) {
        PlanInput.Textures input = new PlanInput.Textures(file, labels, textures, graph.get());
        input.planned(); // rejects a graph that contradicts the textures
        return input;
      }
      if (!sizes.isOpen()) {
        PlanProblem problem =
            new PlanProblem(sizes.fixed(records), 1, graph.get()).withInPlace(inPlace);
        return new PlanInput.Tensors(file, labels, problem, bankFields);
      }
      RangedProblem ranged = sizes.problem(records, labels, graph.get(), inPlace);
      int lost = inPlace.size() - ranged.largest().inPlace().size();
      if (lost > 0) {
        notes.add(
            Text.of(
                "in_place_of of %s is ignored, because the other record may be smaller at some shapes",
                Numbers.count(lost, "record")));
      }
      return PlanInput.Tensors.ofRanges(file, labels, ranged, bankFields);
    } catch (IllegalArgumentException e) {
      throw new MalformedFileException(source, String.valueOf(e.getMessage()));
    }
  }

  /** {@return the problem with the plan in its offsets} */
  PlacedInput plan(PlanInput input) throws MalformedFileException {
    return switch (input) {
      case PlanInput.Tensors tensors -> {
        List<TensorUsageRecord> planned = tensors.problem().records();
        for (int i = 0; i < planned.size(); i++) {
          if (planned.get(i).bytes() > Long.MAX_VALUE - offsets.get(i)) {
            throw new MalformedFileException(
                source, planned.get(i).label(i) + " ends above 2^63 - 1 at some shapes");
          }
          totalBytes = Math.max(totalBytes, offsets.get(i) + planned.get(i).bytes());
        }
        yield new PlacedInput(tensors, assignment());
      }
      case PlanInput.Textures textures ->
          throw new MalformedFileException(
              source, "has textures, which have no offsets; expected sizes in bytes");
    };
  }
}
