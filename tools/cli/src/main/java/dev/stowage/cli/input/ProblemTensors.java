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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/** The tensors of a problem in CSV or JSON that a reader has read so far, and their plan. */
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
  private final List<Long> reads = new ArrayList<>();
  private boolean hasReads;
  private final Map<Integer, String> banks = new HashMap<>();
  private final List<Long> offsets = new ArrayList<>();
  private long totalBytes;

  /** The properties of a tensor that are not those of its record. */
  record Extras(OptionalLong offset, OptionalLong hint, OptionalLong reads, String bank) {}

  ProblemTensors(String source, boolean isPlan, GivenDimensions dimensions) {
    this.source = source;
    this.isPlan = isPlan;
    sizes = new RangedSizes(source, dimensions);
    references = new InPlaceReferences(source);
  }

  boolean isPlan() {
    return isPlan;
  }

  RangedSizes sizes() {
    return sizes;
  }

  List<RecordLabel> labels() {
    return labels;
  }

  boolean isEmpty() {
    return records.isEmpty();
  }

  /**
   * Adds a tensor, whose label follows.
   *
   * @param error returns the error of this tensor with a message
   * @throws IllegalArgumentException if a property is out of its range
   */
  void add(TensorUsageRecord record, Extras extras, Function<String, MalformedFileException> error)
      throws MalformedFileException {
    TensorUsageRecord added =
        !isPlan && extras.offset.isPresent() ? record.pinnedAt(extras.offset.getAsLong()) : record;
    if (extras.hint.isPresent()) {
      added = added.withHint(extras.hint.getAsLong());
    }
    int index = records.size();
    if (isPlan) {
      if (extras.offset.isEmpty()) {
        throw error.apply(NO_OFFSET);
      }
      addOffset(extras.offset.getAsLong(), sizes.dependsOnDimensions(index) ? 0 : added.bytes());
    }
    if (extras.reads.orElse(0) < 0) {
      throw new IllegalArgumentException(
          Text.of("reads is %d, expected 0 or more", extras.reads.getAsLong()));
    }
    if (!extras.bank.isEmpty()) {
      banks.put(index, extras.bank);
    }
    hasReads |= extras.reads.isPresent();
    reads.add(extras.reads.orElse(1));
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

  /**
   * Adds the label of a tensor or of a texture.
   *
   * @param inPlaceOf the id of the record whose bytes this one may take over
   */
  void addLabel(RecordLabel label, Optional<String> inPlaceOf, String place, String name) {
    inPlaceOf.ifPresent(id -> references.add(labels.size(), id, place, name));
    labels.add(label);
  }

  /** {@return the problem; the notes are those on the text of the file} */
  PlanInput input(
      String format, OptionalLong capacity, List<String> textNotes, Optional<ReuseGraph> graph)
      throws MalformedFileException {
    long lastTask = records.stream().mapToLong(TensorUsageRecord::lastTask).max().orElse(-1);
    List<InPlace> inPlace = references.pairs(labels, records);
    List<String> notes = new ArrayList<>(textNotes);
    notes.addAll(sizes.notes());
    InputFile file = new InputFile(source, format, lastTask + 1, capacity, notes);
    try {
      if (!sizes.isOpen()) {
        PlanProblem problem = new PlanProblem(sizes.fixed(records), 1, graph).withInPlace(inPlace);
        BankFields bankFields = new BankFields(hasReads ? reads : List.of(), banks);
        return new PlanInput.Tensors(file, labels, problem, bankFields);
      }
      RangedProblem ranged = sizes.problem(records, labels, graph, inPlace);
      int lost = inPlace.size() - ranged.largest().inPlace().size();
      if (lost > 0) {
        notes.add(
            Text.of(
                "in_place_of of %s is ignored, because the other record may be smaller at some shapes",
                Numbers.count(lost, "record")));
      }
      return PlanInput.Tensors.ofRanges(
          file, labels, ranged, new BankFields(hasReads ? reads : List.of(), banks));
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
