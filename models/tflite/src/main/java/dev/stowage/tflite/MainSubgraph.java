package dev.stowage.tflite;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.tflite.model.InPlaceOperators;
import dev.stowage.tflite.model.InPlaceOperators.Rule;
import dev.stowage.tflite.model.ModelFile;
import dev.stowage.tflite.model.TensorTable;
import dev.stowage.tflite.model.TfliteModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import org.tensorflow.lite.schema.Operator;
import org.tensorflow.lite.schema.SubGraph;

/**
 * Subgraph 0 of a model.
 *
 * @param model the model
 * @param tensors the tensors
 * @param lifetimes the operators that write and read them
 * @param kinds the kind of each operator
 * @param candidates the operators that may write their result over an input, in their order
 */
record MainSubgraph(
    TfliteModel model,
    TensorTable tensors,
    TensorLifetimes lifetimes,
    List<String> kinds,
    List<InPlaceCandidate> candidates) {

  /**
   * {@return the subgraph of a file}
   *
   * @param options the operators that may write their result over an input, and the order of all
   *     operators
   */
  static MainSubgraph of(ModelFile file, TfliteOptions options) throws MalformedFileException {
    TfliteModel model = TfliteModel.of(file);
    SubGraph subgraph = model.subgraph(0);
    TensorTable tensors = model.tensors(subgraph);
    int operatorCount =
        file.length("operators", subgraph.operatorsLength(), Integer.BYTES, subgraph::operators);
    TensorLifetimes lifetimes = new TensorLifetimes(tensors.count(), operatorCount);
    MainSubgraph main =
        new MainSubgraph(model, tensors, lifetimes, new ArrayList<>(), new ArrayList<>());
    tensors
        .indices("inputs", subgraph.inputsLength(), subgraph::inputs)
        .forEach(lifetimes::addGraphInput);
    tensors
        .indices("outputs", subgraph.outputsLength(), subgraph::outputs)
        .forEach(lifetimes::addGraphOutput);
    main.readOperators(subgraph, main.order(options), options.isInPlace());
    return main;
  }

  ModelFile file() {
    return model.file();
  }

  private List<Integer> order(TfliteOptions options) throws MalformedFileException {
    int operatorCount = lifetimes.operatorCount();
    if (options.order().isEmpty()) {
      return IntStream.range(0, operatorCount).boxed().toList();
    }
    if (options.order().size() != operatorCount) {
      throw file()
          .malformed(
              String.format(
                  Locale.ROOT,
                  "has %d operators, expected %d, the number in the requested order",
                  operatorCount,
                  options.order().size()));
    }
    return options.order();
  }

  private void readOperators(SubGraph subgraph, List<Integer> order, boolean isInPlace)
      throws MalformedFileException {
    Operator operator = new Operator();
    for (int task = 0; task < lifetimes.operatorCount(); task++) {
      int place = order.get(task);
      file().enter("operator", place);
      file().payTable();
      subgraph.operators(operator, place);
      for (int input : tensors.indices("inputs", operator.inputsLength(), operator::inputs)) {
        lifetimes.read(input, task);
      }
      for (int output : tensors.indices("outputs", operator.outputsLength(), operator::outputs)) {
        write(output, task);
      }
      kinds.add(model.codes().name(operator.opcodeIndex()));
      if (isInPlace) {
        addCandidate(operator, task);
      }
    }
  }

  private void addCandidate(Operator operator, int task) {
    int code = model.codes().builtinCode(operator.opcodeIndex());
    Optional<Rule> rule = InPlaceOperators.TENSORFLOW_LITE.rule(code);
    if (rule.isPresent()
        && operator.outputsLength() > 0
        && operator.outputs(0) != TensorTable.OMITTED) {
      List<Integer> inputs =
          IntStream.range(0, operator.inputsLength()).map(operator::inputs).boxed().toList();
      candidates.add(new InPlaceCandidate(task, rule.get(), inputs, operator.outputs(0)));
    }
  }

  private void write(int tensor, int task) throws MalformedFileException {
    if (lifetimes.isReadBeforeWritten(tensor)) {
      tensors.moveTo(tensor);
      boolean isHeld = tensors.isHeld();
      file().enter("operator", task);
      if (!isHeld) {
        throw file()
            .malformed(
                String.format(
                    Locale.ROOT,
                    "produces tensor %d, which operator %d already reads; expected operators in execution order",
                    tensor,
                    lifetimes.lastReader(tensor)));
      }
    }
    lifetimes.write(tensor, task);
  }
}
