package dev.stowage.tflite;

import dev.stowage.core.MalformedFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.tensorflow.lite.schema.Model;
import org.tensorflow.lite.schema.SubGraph;

/** The tensors and subgraphs of a model that a problem does not contain, for its notes. */
final class SkippedTensors {

  private static final int NAMED_COUNT = 3;

  private int tensorCount;
  private final List<String> namedTensors = new ArrayList<>();
  private int subgraphCount;
  private final List<String> namedSubgraphs = new ArrayList<>();

  /** Adds a tensor of unknown size. */
  void addTensor(TfliteTensor tensor, String reason) {
    tensorCount++;
    if (namedTensors.size() < NAMED_COUNT) {
      String name = tensor.name().isEmpty() ? "tensor " + tensor.index() : tensor.name();
      namedTensors.add(String.format(Locale.ROOT, "%s (%s)", name, reason));
    }
  }

  /** Adds all subgraphs except the main one. */
  void addSubgraphs(ModelFile file, Model model) throws MalformedFileException {
    subgraphCount = model.subgraphsLength() - 1;
    for (int i = 1; i <= Math.min(subgraphCount, NAMED_COUNT); i++) {
      file.enter("subgraph", i);
      file.payTable();
      SubGraph subgraph = model.subgraphs(i);
      String name = file.name(subgraph.nameAsByteBuffer());
      namedSubgraphs.add(name.isEmpty() ? "subgraph " + i : name);
    }
  }

  /** {@return a sentence on the tensors and one on the subgraphs, if there are any} */
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    if (tensorCount > 0) {
      notes.add(
          String.format(
              Locale.ROOT,
              "%s of unknown size %s not planned: %s",
              tensorCount == 1 ? "1 tensor" : tensorCount + " tensors",
              tensorCount == 1 ? "is" : "are",
              firstOf(tensorCount, namedTensors)));
    }
    if (subgraphCount > 0) {
      notes.add(
          String.format(
              Locale.ROOT,
              "%s not planned: %s",
              subgraphCount == 1
                  ? "1 further subgraph is"
                  : subgraphCount + " further subgraphs are",
              firstOf(subgraphCount, namedSubgraphs)));
    }
    return notes;
  }

  private static String firstOf(int count, List<String> named) {
    return String.join(", ", named) + (named.size() < count ? ", ..." : "");
  }
}
