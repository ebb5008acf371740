package dev.stowage.cli.input;

import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.InPlace;
import dev.stowage.plan.MalformedFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The references of records to the records that they replace in place. */
final class InPlaceReferences {

  /**
   * A reference that is not resolved yet.
   *
   * @param record the index of the record with the reference
   * @param id the id of the other record, which may come later in the file
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
   * @throws MalformedFileException if an id is not the id of exactly one record
   */
  List<InPlace> pairs(List<RecordLabel> labels) throws MalformedFileException {
    if (references.isEmpty()) {
      return List.of();
    }
    Map<String, List<Integer>> indices = new HashMap<>();
    for (int i = 0; i < labels.size(); i++) {
      indices.computeIfAbsent(labels.get(i).id(), key -> new ArrayList<>(1)).add(i);
    }
    List<InPlace> pairs = new ArrayList<>();
    for (Reference reference : references) {
      List<Integer> named = indices.getOrDefault(reference.id, List.of());
      if (named.size() != 1) {
        throw new MalformedFileException(
            source,
            reference.place,
            Text.of(
                "%s: in_place_of is '%s', which %s, expected the id of one record",
                reference.label,
                MalformedFileException.excerpt(reference.id),
                named.isEmpty() ? "no record has" : named.size() + " records have"));
      }
      pairs.add(new InPlace(reference.record, named.getFirst()));
    }
    return pairs;
  }
}
