package dev.stowage.tflite.micro;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.tflite.model.ModelFile;
import dev.stowage.tflite.model.ModelOperator;
import dev.stowage.tflite.model.Subgraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;

/**
 * The lifetimes that TensorFlow Lite Micro gives to the tensors of all subgraphs.
 *
 * <p>Time is counted in scopes. The inputs of the main subgraph exist from scope 0. Each operator
 * starts a scope, and so does each subgraph that it calls. An operator writes its outputs in its
 * own scope, and reads its inputs in the last scope of the subgraphs that it calls. A subgraph that
 * is called twice runs in two ranges of scopes, and its tensors live from the first to the last.
 */
final class MicroLifetimes {

  /** The scope before the first one. A tensor that is read but never written is live from there. */
  static final int BEFORE_ALL = -1;

  /** A limit of the time to walk subgraphs that call each other many times. */
  private static final int MAX_SCOPES = 1_000_000;

  private final ModelFile file;
  private final List<Subgraph> subgraphs;

  /** The index of the first tensor of each subgraph; in the end the number of all tensors. */
  private final int[] firstTensors;

  private final int[] firstScopes;
  private final int[] lastScopes;

  /** The scopes of the operators that read each tensor, at their first execution. */
  private final List<List<Integer>> readScopes = new ArrayList<>();

  private final BitSet running = new BitSet();
  private final List<String> labels = new ArrayList<>();

  /** The first and the last scope of each operator of each subgraph. */
  private final int[][] firstOperatorScopes;

  private final int[][] lastOperatorScopes;

  private MicroLifetimes(ModelFile file, List<Subgraph> subgraphs) {
    this.file = file;
    this.subgraphs = subgraphs;
    firstTensors = new int[subgraphs.size() + 1];
    for (int i = 0; i < subgraphs.size(); i++) {
      firstTensors[i + 1] = firstTensors[i] + subgraphs.get(i).tensors().count();
    }
    firstScopes = new int[firstTensors[subgraphs.size()]];
    lastScopes = new int[firstScopes.length];
    firstOperatorScopes = new int[subgraphs.size()][];
    lastOperatorScopes = new int[subgraphs.size()][];
    for (int i = 0; i < subgraphs.size(); i++) {
      firstOperatorScopes[i] = new int[subgraphs.get(i).operators().size()];
      Arrays.fill(firstOperatorScopes[i], BEFORE_ALL);
      lastOperatorScopes[i] = firstOperatorScopes[i].clone();
    }
    for (int i = 0; i < firstScopes.length; i++) {
      readScopes.add(new ArrayList<>());
    }
    Arrays.fill(firstScopes, BEFORE_ALL);
    Arrays.fill(lastScopes, BEFORE_ALL);
  }

  /** {@return the lifetimes of the tensors of a model} */
  static MicroLifetimes of(ModelFile file, List<Subgraph> subgraphs) throws MalformedFileException {
    MicroLifetimes lifetimes = new MicroLifetimes(file, subgraphs);
    lifetimes.labels.add("inputs");
    lifetimes.run(0, "");
    return lifetimes;
  }

  /** Walks a subgraph; the current scope writes its inputs. */
  private void run(int index, String path) throws MalformedFileException {
    if (running.get(index)) {
      file.enter("subgraph", index);
      throw file.malformed("calls itself, expected subgraphs that end");
    }
    running.set(index);
    Subgraph subgraph = subgraphs.get(index);
    writeAll(index, subgraph.inputs());
    for (int k = 0; k < subgraph.operators().size(); k++) {
      ModelOperator operator = subgraph.operators().get(k);
      String label = path + operator.kind().name() + " " + k;
      startScope(label);
      if (firstOperatorScopes[index][k] == BEFORE_ALL) {
        firstOperatorScopes[index][k] = labels.size() - 1;
        addReads(index, operator.inputs());
      }
      writeAll(index, operator.outputs());
      for (int called : operator.calledSubgraphs()) {
        startScope(label + ", subgraph " + called + " inputs");
        run(called, label + ", subgraph " + called + " ");
      }
      readAll(index, operator.inputs());
      readAll(index, operator.outputs());
      lastOperatorScopes[index][k] = labels.size() - 1;
    }
    writeAll(index, subgraph.outputs());
    running.clear(index);
  }

  private void startScope(String label) throws MalformedFileException {
    if (labels.size() == MAX_SCOPES) {
      throw file.malformed(
          String.format(
              Locale.ROOT,
              "executes more than %d operators in nested subgraphs, expected fewer",
              MAX_SCOPES));
    }
    labels.add(label);
  }

  private void writeAll(int subgraph, List<Integer> tensors) {
    for (int tensor : tensors) {
      int index = firstTensors[subgraph] + tensor;
      if (firstScopes[index] == BEFORE_ALL) {
        firstScopes[index] = labels.size() - 1;
      }
    }
    readAll(subgraph, tensors);
  }

  private void addReads(int subgraph, List<Integer> tensors) {
    int scope = labels.size() - 1;
    for (int tensor : tensors) {
      List<Integer> scopes = readScopes.get(firstTensors[subgraph] + tensor);
      if (scopes.isEmpty() || scopes.getLast() != scope) {
        scopes.add(scope);
      }
    }
  }

  private void readAll(int subgraph, List<Integer> tensors) {
    for (int tensor : tensors) {
      lastScopes[firstTensors[subgraph] + tensor] = labels.size() - 1;
    }
  }

  /** {@return the number of tensors of all subgraphs} */
  int tensorCount() {
    return firstScopes.length;
  }

  /** {@return the number of subgraphs} */
  int subgraphCount() {
    return subgraphs.size();
  }

  /** {@return the number of operators of a subgraph} */
  int operatorCount(int subgraph) {
    return firstOperatorScopes[subgraph].length;
  }

  /** {@return the index of a tensor among the tensors of all subgraphs} */
  int index(int subgraph, int tensor) {
    return firstTensors[subgraph] + tensor;
  }

  /** {@return the lifetime of a tensor, by its index among the tensors of all subgraphs} */
  ScopeLifetime of(int index) {
    return new ScopeLifetime(firstScopes[index], lastScopes[index], readScopes.get(index));
  }

  /** {@return the scopes of an operator and of the subgraphs that it calls} */
  ScopeLifetime ofOperator(int subgraph, int operator) {
    return new ScopeLifetime(
        firstOperatorScopes[subgraph][operator], lastOperatorScopes[subgraph][operator], List.of());
  }

  /** {@return the name of each scope} */
  List<String> scopeLabels() {
    return labels;
  }

  /**
   * Checks that the model has the operator of a scratch buffer.
   *
   * @throws IllegalArgumentException if it does not
   */
  void checkOperator(ScratchBuffer buffer) {
    if (buffer.subgraph() >= subgraphCount()
        || buffer.operator() >= operatorCount(buffer.subgraph())) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the model has no operator %d in subgraph %d",
              buffer.operator(),
              buffer.subgraph()));
    }
  }
}
