package dev.stowage.tflite;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.tflite.InPlaceOperators.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import org.tensorflow.lite.schema.Model;
import org.tensorflow.lite.schema.Operator;
import org.tensorflow.lite.schema.SubGraph;

/**
 * Subgraph 0 of a model.
 *
 * @param file the file
 * @param model the model
 * @param buffers the buffers with data
 * @param tensors the tensors
 * @param lifetimes the operators that write and read them
 * @param kinds the kind of each operator
 * @param candidates the operators that may write their result over an input, in their order
 */
record MainSubgraph(
    ModelFile file,
    Model model,
    ConstantBuffers buffers,
    TensorTable tensors,
    TensorLifetimes lifetimes,
    List<String> kinds,
    List<InPlaceCandidate> candidates) {

  /** The index of an omitted optional input. */
  private static final int NO_TENSOR = -1;

  /**
   * {@return the subgraph of a file}
   *
   * @param options the operators that may write their result over an input, and the order of all
   *     operators
   */
  static MainSubgraph of(ModelFile file, TfliteOptions options) throws MalformedFileException {
    Model model = file.model();
    int subgraphCount =
        file.length("subgraphs", model.subgraphsLength(), Integer.BYTES, model::subgraphs);
    if (subgraphCount == 0) {
      throw file.malformed("has no subgraph, expected at least 1");
    }
    OperatorCodes codes = OperatorCodes.of(file, model);
    ConstantBuffers buffers = ConstantBuffers.of(file, model);
    file.enter("subgraph", 0);
    file.payTable();
    SubGraph subgraph = model.subgraphs(0);
    TensorTable tensors = TensorTable.of(file, buffers, subgraph);
    int operatorCount =
        file.length("operators", subgraph.operatorsLength(), Integer.BYTES, subgraph::operators);
    TensorLifetimes lifetimes = new TensorLifetimes(tensors.count(), operatorCount);
    MainSubgraph main =
        new MainSubgraph(
            file, model, buffers, tensors, lifetimes, new ArrayList<>(), new ArrayList<>());
    main.readInputsAndOutputs(subgraph);
    main.readOperators(subgraph, main.order(options), codes, options.inPlace());
    return main;
  }

  private List<Integer> order(TfliteOptions options) throws MalformedFileException {
    int operatorCount = lifetimes.operatorCount();
    if (options.order().isEmpty()) {
      return IntStream.range(0, operatorCount).boxed().toList();
    }
    if (options.order().size() != operatorCount) {
      throw file.malformed(
          String.format(
              Locale.ROOT,
              "has %d operators, expected %d, the number in the requested order",
              operatorCount,
              options.order().size()));
    }
    return options.order();
  }

  private void readInputsAndOutputs(SubGraph subgraph) throws MalformedFileException {
    int inputCount =
        file.length("inputs", subgraph.inputsLength(), Integer.BYTES, subgraph::inputs);
    for (int i = 0; i < inputCount; i++) {
      if (isTensor(subgraph.inputs(i))) {
        lifetimes.addGraphInput(subgraph.inputs(i));
      }
    }
    int outputCount =
        file.length("outputs", subgraph.outputsLength(), Integer.BYTES, subgraph::outputs);
    for (int i = 0; i < outputCount; i++) {
      if (isTensor(subgraph.outputs(i))) {
        lifetimes.addGraphOutput(subgraph.outputs(i));
      }
    }
  }

  private void readOperators(
      SubGraph subgraph, List<Integer> order, OperatorCodes codes, InPlaceOperators inPlace)
      throws MalformedFileException {
    Operator operator = new Operator();
    for (int task = 0; task < lifetimes.operatorCount(); task++) {
      int place = order.get(task);
      file.enter("operator", place);
      file.payTable();
      subgraph.operators(operator, place);
      int inputCount =
          file.length("inputs", operator.inputsLength(), Integer.BYTES, operator::inputs);
      for (int i = 0; i < inputCount; i++) {
        if (isTensor(operator.inputs(i))) {
          lifetimes.read(operator.inputs(i), task);
        }
      }
      int outputCount =
          file.length("outputs", operator.outputsLength(), Integer.BYTES, operator::outputs);
      for (int i = 0; i < outputCount; i++) {
        if (isTensor(operator.outputs(i))) {
          write(operator.outputs(i), task);
        }
      }
      kinds.add(codes.name(operator.opcodeIndex()));
      Optional<Rule> rule = inPlace.rule(codes.builtinCode(operator.opcodeIndex()));
      if (rule.isPresent() && outputCount > 0 && operator.outputs(0) != NO_TENSOR) {
        List<Integer> inputs =
            IntStream.range(0, inputCount).map(operator::inputs).boxed().toList();
        candidates.add(new InPlaceCandidate(task, rule.get(), inputs, operator.outputs(0)));
      }
    }
  }

  private void write(int tensor, int task) throws MalformedFileException {
    if (lifetimes.isReadBeforeWritten(tensor)) {
      tensors.moveTo(tensor);
      boolean isHeld = tensors.isHeld();
      file.enter("operator", task);
      if (!isHeld) {
        throw file.malformed(
            String.format(
                Locale.ROOT,
                "produces tensor %d, which operator %d already reads; expected operators in execution order",
                tensor,
                lifetimes.lastReader(tensor)));
      }
    }
    lifetimes.write(tensor, task);
  }

  private boolean isTensor(int index) throws MalformedFileException {
    if (index < NO_TENSOR || index >= tensors.count()) {
      throw file.malformed(
          String.format(
              Locale.ROOT,
              "has tensor index %d, expected 0 or more and less than %d, the number of tensors, or -1 for none",
              index,
              tensors.count()));
    }
    return index != NO_TENSOR;
  }
}
