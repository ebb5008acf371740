package dev.stowage.cli.input;

import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.InPlace;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.TensorUsageRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The records of a problem that are in place of others, which are named by their ids. */
final class InPlaceReferences {

  private static final int NONE = -1;

  /**
   * A reference that is not resolved yet.
   *
   * @param record the index of the record with the reference
   * @param id the id of the other record, which may follow
   * @param place the place in the file
   * @param label the record in messages
   */
  private record Reference(int record, String id, String place, String label) {}

  private final String source;
  private final List<Reference> references = new ArrayList<>();

  InPlaceReferences(String source) {
    this.source = source;
  }

  void add(int record, String id, String place, String label) {
    references.add(new Reference(record, id, place, label));
  }

  /**
   * {@return the pairs of records}
   *
   * @param labels the ids of all records
   * @param records all records
   * @throws MalformedFileException if a reference is wrong
   */
  List<InPlace> pairs(List<RecordLabel> labels, List<TensorUsageRecord> records)
      throws MalformedFileException {
    if (references.isEmpty()) {
      return List.of();
    }
    Map<String, List<Integer>> indices = new HashMap<>();
    for (int i = 0; i < labels.size(); i++) {
      indices.computeIfAbsent(labels.get(i).id(), key -> new ArrayList<>(1)).add(i);
    }
    int[] sources = new int[records.size()];
    Arrays.fill(sources, NONE);
    List<InPlace> pairs = new ArrayList<>();
    for (Reference reference : references) {
      int other = checked(reference, indices.getOrDefault(reference.id, List.of()), records);
      sources[reference.record] = other;
      pairs.add(new InPlace(reference.record, other));
    }
    checkCycles(sources);
    return pairs;
  }

  private int checked(Reference reference, List<Integer> named, List<TensorUsageRecord> records)
      throws MalformedFileException {
    if (named.size() != 1) {
      throw malformed(
          reference,
          named.isEmpty()
              ? "expected the id of another record"
              : "the id of "
                  + Numbers.count(named.size(), "record")
                  + ", expected the id of one record");
    }
    int other = named.getFirst();
    if (other == reference.record) {
      throw malformed(reference, "the record itself, expected the id of another record");
    }
    long lastTask = records.get(other).lastTask();
    long firstTask = records.get(reference.record).firstTask();
    if (lastTask != firstTask) {
      throw malformed(
          reference,
          Text.of(
              "whose last task is %d, expected %d, the first task of the record in its place",
              lastTask, firstTask));
    }
    return other;
  }

  private void checkCycles(int[] sources) throws MalformedFileException {
    int[] visitedFrom = new int[sources.length];
    Arrays.fill(visitedFrom, NONE);
    for (Reference reference : references) {
      int start = reference.record;
      int record = start;
      while (record != NONE && visitedFrom[record] == NONE) {
        visitedFrom[record] = start;
        record = sources[record];
      }
      if (record != NONE && visitedFrom[record] == start && sources[record] != NONE) {
        throw malformed(
            referenceOf(record),
            "which is in place of the record itself, expected no cycle of records");
      }
    }
  }

  private Reference referenceOf(int record) {
    return references.stream().filter(it -> it.record == record).findFirst().orElseThrow();
  }

  private MalformedFileException malformed(Reference reference, String problem) {
    return new MalformedFileException(
        source,
        reference.place,
        Text.of(
            "%s: in_place_of is '%s', %s",
            reference.label, MalformedFileException.excerpt(reference.id), problem));
  }
}
