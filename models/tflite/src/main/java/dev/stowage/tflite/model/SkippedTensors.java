package dev.stowage.tflite.model;

import dev.stowage.plan.MalformedFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.tensorflow.lite.schema.SubGraph;

/** The tensors and subgraphs of a model that a problem does not contain, for its notes. */
public final class SkippedTensors {

  private static final int NAMED_COUNT = 3;

  /** Tensors or subgraphs of one kind: all are counted, and the first ones are named. */
  private static final class Group {

    private int count;
    private long bytes;
    private final List<String> named = new ArrayList<>();

    /** Adds an element; bytes beyond 2^63 - 1 are not counted. */
    void add(String name, long addedBytes) {
      count++;
      bytes += Math.min(addedBytes, Long.MAX_VALUE - bytes);
      if (named.size() < NAMED_COUNT) {
        named.add(name);
      }
    }

    String countOf(String one, String many) {
      return count == 1 ? "1 " + one : String.format(Locale.ROOT, "%d %s", count, many);
    }

    String verb() {
      return count == 1 ? "is" : "are";
    }

    String names() {
      return String.join(", ", named) + (named.size() < count ? ", ..." : "");
    }
  }

  private final Group unknown = new Group();
  private final Group uncomputed = new Group();
  private final Group variables = new Group();
  private final Group subgraphs = new Group();
  private int subgraphTensors;

  /**
   * Adds a tensor of unknown size.
   *
   * @param index the index in the subgraph
   * @param name the name; empty if it has none
   * @param reason the reason, such as {@code dimension 0 is -1}
   */
  public void addTensor(int index, String name, String reason) {
    unknown.add(String.format(Locale.ROOT, "%s (%s)", shown(index, name), reason), 0);
  }

  /**
   * Adds a tensor that operators use, but neither an operator nor the caller writes.
   *
   * @param index the index in the subgraph
   * @param name the name; empty if it has none
   * @param bytes the size
   */
  public void addUncomputed(int index, String name, long bytes) {
    uncomputed.add(shown(index, name), bytes);
  }

  /**
   * Adds a tensor that keeps its value until the next run.
   *
   * @param index the index in the subgraph
   * @param name the name; empty if it has none
   * @param bytes the size
   */
  public void addVariable(int index, String name, long bytes) {
    variables.add(shown(index, name), bytes);
  }

  private static String shown(int index, String name) {
    return name.isEmpty() ? "tensor " + index : name;
  }

  /**
   * Adds all subgraphs except the main one, with their tensors that need memory.
   *
   * @param model the model
   * @throws MalformedFileException if the file is damaged
   */
  public void addSubgraphs(TfliteModel model) throws MalformedFileException {
    for (int i = 1; i < model.subgraphCount(); i++) {
      SubGraph subgraph = model.subgraph(i);
      String name = model.file().name(subgraph.nameAsByteBuffer());
      subgraphs.add(name.isEmpty() ? "subgraph " + i : name, bytes(model.tensors(subgraph)));
    }
  }

  private long bytes(TensorTable tensors) throws MalformedFileException {
    long sum = 0;
    for (int i = 0; i < tensors.count(); i++) {
      tensors.moveTo(i);
      if (!tensors.isConstant()
          && tensors.bytes() instanceof TensorBytes.Known(long bytes)
          && bytes > 0) {
        subgraphTensors++;
        sum += Math.min(bytes, Long.MAX_VALUE - sum);
      }
    }
    return sum;
  }

  /** {@return a sentence on each kind of tensors and on the subgraphs, if there are any} */
  public List<String> notes() {
    List<String> notes = new ArrayList<>();
    if (unknown.count > 0) {
      notes.add(
          String.format(
              Locale.ROOT,
              "%s of unknown size %s not planned: %s",
              unknown.countOf("tensor", "tensors"),
              unknown.verb(),
              unknown.names()));
    }
    if (uncomputed.count > 0) {
      notes.add(
          String.format(
              Locale.ROOT,
              "%s that no operator computes %s not planned (%s): %s",
              uncomputed.countOf("tensor", "tensors"),
              uncomputed.verb(),
              bytes(uncomputed.bytes),
              uncomputed.names()));
    }
    if (variables.count > 0) {
      notes.add(
          String.format(
              Locale.ROOT,
              "%s %s not planned (%s): %s",
              variables.countOf("variable", "variables"),
              variables.verb(),
              bytes(variables.bytes),
              variables.names()));
    }
    if (subgraphs.count > 0) {
      notes.add(
          String.format(
              Locale.ROOT,
              "%s %s not planned%s: %s",
              subgraphs.countOf("further subgraph", "further subgraphs"),
              subgraphs.verb(),
              subgraphTensors == 0
                  ? ""
                  : String.format(
                      Locale.ROOT,
                      " (%,d %s, %s)",
                      subgraphTensors,
                      subgraphTensors == 1 ? "tensor" : "tensors",
                      bytes(subgraphs.bytes)),
              subgraphs.names()));
    }
    return notes;
  }

  private static String bytes(long bytes) {
    return bytes == 1 ? "1 byte" : String.format(Locale.ROOT, "%,d bytes", bytes);
  }
}
