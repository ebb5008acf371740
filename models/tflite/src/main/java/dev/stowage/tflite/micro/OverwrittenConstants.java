package dev.stowage.tflite.micro;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.tflite.micro.DecompressionMemory.Place;
import dev.stowage.tflite.model.ModelOperator;
import dev.stowage.tflite.model.Subgraph;
import dev.stowage.tflite.model.TensorTable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds decoded constants that another operator overwrites before they are read.
 *
 * <p>All operators use the same memory regions of the application, and TensorFlow Lite Micro does
 * not check that a constant is read before the next operator decompresses another one.
 */
final class OverwrittenConstants {

  /** The number of notes; a damaged model may have millions. */
  private static final int MAX_NOTES = 3;

  private final List<Subgraph> subgraphs;

  /** The decoded constants in the regions, by the tensors of each subgraph. */
  private final List<Map<Integer, Place>> decoded;

  /** The inputs that operators decompress into the regions, by operator of each subgraph. */
  private final List<Map<Integer, List<Place>>> lookedUp = new ArrayList<>();

  /** The subgraphs that decompress into the regions, and the callers of these subgraphs. */
  private final BitSet writers;

  private final List<String> notes = new ArrayList<>();

  private OverwrittenConstants(
      List<Subgraph> subgraphs, List<Map<Integer, Place>> decoded, List<DecompressedInput> inputs) {
    this.subgraphs = subgraphs;
    this.decoded = decoded;
    subgraphs.forEach(_ -> lookedUp.add(new HashMap<>()));
    for (DecompressedInput input : inputs) {
      input
          .place()
          .ifPresent(place ->
              lookedUp
                  .get(input.buffer().subgraph())
                  .computeIfAbsent(input.buffer().operator(), _ -> new ArrayList<>())
                  .add(place));
    }
    BitSet own = new BitSet();
    for (int i = 0; i < subgraphs.size(); i++) {
      own.set(i, !decoded.get(i).isEmpty() || !lookedUp.get(i).isEmpty());
    }
    writers = SubgraphCalls.withCallers(subgraphs, own);
  }

  /** {@return sentences on the first of these constants} */
  static List<String> notes(
      List<Subgraph> subgraphs, List<Map<Integer, Place>> decoded, List<DecompressedInput> inputs)
      throws MalformedFileException {
    OverwrittenConstants constants = new OverwrittenConstants(subgraphs, decoded, inputs);
    for (int i = 0; i < subgraphs.size() && constants.notes.size() < MAX_NOTES; i++) {
      if (!decoded.get(i).isEmpty()) {
        constants.walk(i);
      }
    }
    return constants.notes;
  }

  /** A complete constant. */
  private record Written(int tensor, long end) {}

  /** The content of the regions while a subgraph runs. */
  private static final class Content {

    /** The complete constants, by region and start. */
    private final Map<Integer, TreeMap<Long, Written>> constants = new HashMap<>();

    /** The operator that overwrote a constant. */
    private final Map<Integer, String> overwriters = new HashMap<>();

    void overwrite(Place place, String operator) {
      TreeMap<Long, Written> region =
          constants.computeIfAbsent(place.region(), _ -> new TreeMap<>());
      var before = region.lowerEntry(place.end());
      while (before != null && before.getValue().end > place.start()) {
        overwriters.put(before.getValue().tensor, operator);
        region.remove(before.getKey());
        before = region.lowerEntry(place.end());
      }
    }

    void overwriteAll(String operator) {
      constants
          .values()
          .forEach(region ->
              region.values().forEach(written -> overwriters.put(written.tensor, operator)));
      constants.clear();
    }

    void write(int tensor, Place place) {
      constants
          .computeIfAbsent(place.region(), _ -> new TreeMap<>())
          .put(place.start(), new Written(tensor, place.end()));
      overwriters.remove(tensor);
    }
  }

  private void walk(int index) throws MalformedFileException {
    Subgraph subgraph = subgraphs.get(index);
    Map<Integer, Place> places = decoded.get(index);
    Content content = new Content();
    for (int k = 0; k < subgraph.operators().size(); k++) {
      ModelOperator operator = subgraph.operators().get(k);
      String label = operator.kind().name() + " " + k;
      lookedUp
          .get(index)
          .getOrDefault(k, List.of())
          .forEach(place -> content.overwrite(place, label));
      check(content, subgraph, operator.inputs(), label + " reads it");
      if (operator.calledSubgraphs().stream().anyMatch(writers::get)) {
        content.overwriteAll(label);
      }
      for (int output : operator.outputs()) {
        Place place = places.get(output);
        if (operator.kind().isDecode() && place != null) {
          content.overwrite(place, label);
          content.write(output, place);
        }
      }
    }
    check(content, subgraph, subgraph.outputs(), "it is returned");
  }

  private void check(Content content, Subgraph subgraph, List<Integer> tensors, String use)
      throws MalformedFileException {
    TensorTable table = subgraph.tensors();
    for (int tensor : tensors) {
      String overwriter = content.overwriters.get(tensor);
      if (overwriter != null && notes.size() < MAX_NOTES) {
        table.moveTo(tensor);
        notes.add(
            String.format(
                Locale.ROOT,
                "%s overwrites %s in the memory for decompression before %s: the outputs are wrong",
                overwriter,
                table.label(tensor),
                use));
      }
    }
  }
}
