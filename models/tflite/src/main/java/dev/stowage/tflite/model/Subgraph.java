package dev.stowage.tflite.model;

import dev.stowage.plan.MalformedFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.tensorflow.lite.schema.BatchMatMulOptions;
import org.tensorflow.lite.schema.BuiltinOperator;
import org.tensorflow.lite.schema.BuiltinOptions;
import org.tensorflow.lite.schema.CallOnceOptions;
import org.tensorflow.lite.schema.IfOptions;
import org.tensorflow.lite.schema.Operator;
import org.tensorflow.lite.schema.SubGraph;
import org.tensorflow.lite.schema.VarHandleOptions;
import org.tensorflow.lite.schema.WhileOptions;

/**
 * A subgraph of a model: its tensors, its inputs and outputs, and its operators.
 *
 * @param name the name; empty if it has none
 * @param tensors the tensors
 * @param inputs the tensors that the caller writes
 * @param outputs the tensors that the caller reads
 * @param operators the operators, in execution order
 */
public record Subgraph(
    String name,
    TensorTable tensors,
    List<Integer> inputs,
    List<Integer> outputs,
    List<ModelOperator> operators) {

  /** {@return the subgraphs of a model, at least one} */
  public static List<Subgraph> allOf(ModelFile file) throws MalformedFileException {
    TfliteModel model = TfliteModel.of(file);
    List<Subgraph> subgraphs = new ArrayList<>();
    for (int i = 0; i < model.subgraphCount(); i++) {
      subgraphs.add(of(model, model.subgraph(i)));
    }
    return subgraphs;
  }

  /**
   * {@return this subgraph with its operators in another order}
   *
   * @param order the operators by their indices, each once
   */
  public Subgraph inOrder(List<Integer> order) {
    return new Subgraph(
        name, tensors, inputs, outputs, order.stream().map(operators::get).toList());
  }

  private static Subgraph of(TfliteModel model, SubGraph subgraph) throws MalformedFileException {
    ModelFile file = model.file();
    String name = file.name(subgraph.nameAsByteBuffer());
    TensorTable tensors = model.tensors(subgraph);
    List<Integer> inputs = tensors.indices("inputs", subgraph.inputsLength(), subgraph::inputs);
    List<Integer> outputs = tensors.indices("outputs", subgraph.outputsLength(), subgraph::outputs);
    int operatorCount =
        file.length("operators", subgraph.operatorsLength(), Integer.BYTES, subgraph::operators);
    List<ModelOperator> operators = new ArrayList<>();
    Operator operator = new Operator();
    for (int k = 0; k < operatorCount; k++) {
      file.enter("operator", k);
      file.payTable();
      subgraph.operators(operator, k);
      operators.add(operator(model, tensors, operator));
    }
    return new Subgraph(name, tensors, inputs, outputs, operators);
  }

  private static ModelOperator operator(TfliteModel model, TensorTable tensors, Operator operator)
      throws MalformedFileException {
    ModelFile file = model.file();
    OperatorKind kind = model.codes().kind(file, operator.opcodeIndex());
    List<Integer> inputs = tensors.indices("inputs", operator.inputsLength(), operator::inputs);
    List<Integer> outputs = tensors.indices("outputs", operator.outputsLength(), operator::outputs);
    List<Integer> called = called(kind.builtinCode(), operator);
    for (int subgraph : called) {
      if (subgraph < 0 || subgraph >= model.subgraphCount()) {
        throw file.malformed(
            String.format(
                Locale.ROOT,
                "calls subgraph %d, expected 0 or more and less than %d, the number of subgraphs",
                subgraph,
                model.subgraphCount()));
      }
    }
    return new ModelOperator(
        kind,
        inputs,
        outputs,
        called,
        transposed(kind, inputs, operator),
        variable(file, operator),
        Convolution.of(operator));
  }

  /** {@return the inputs of a BATCH_MATMUL that its kernel transposes into the tail} */
  private static List<Integer> transposed(
      OperatorKind kind, List<Integer> inputs, Operator operator) {
    if (kind.builtinCode() != BuiltinOperator.BATCH_MATMUL || inputs.size() != 2) {
      return List.of();
    }
    BatchMatMulOptions options = new BatchMatMulOptions();
    boolean hasOptions =
        operator.builtinOptionsType() == BuiltinOptions.BatchMatMulOptions
            && operator.builtinOptions(options) != null;
    List<Integer> transposed = new ArrayList<>();
    if (hasOptions && options.adjX()) {
      transposed.add(inputs.getFirst());
    }
    if (!hasOptions || !options.adjY()) {
      transposed.add(inputs.getLast());
    }
    return transposed;
  }

  /** {@return the subgraphs that an operator calls, in the order of TensorFlow Lite Micro} */
  private static List<Integer> called(int code, Operator operator) {
    int type = operator.builtinOptionsType();
    if (code == BuiltinOperator.IF && type == BuiltinOptions.IfOptions) {
      IfOptions options = new IfOptions();
      return operator.builtinOptions(options) == null
          ? List.of()
          : List.of(options.thenSubgraphIndex(), options.elseSubgraphIndex());
    }
    if (code == BuiltinOperator.WHILE && type == BuiltinOptions.WhileOptions) {
      WhileOptions options = new WhileOptions();
      return operator.builtinOptions(options) == null
          ? List.of()
          : List.of(options.condSubgraphIndex(), options.bodySubgraphIndex());
    }
    if (code == BuiltinOperator.CALL_ONCE && type == BuiltinOptions.CallOnceOptions) {
      CallOnceOptions options = new CallOnceOptions();
      return operator.builtinOptions(options) == null
          ? List.of()
          : List.of(options.initSubgraphIndex());
    }
    return List.of();
  }

  /** {@return the name of the variable of a VAR_HANDLE; empty for other operators} */
  private static String variable(ModelFile file, Operator operator) throws MalformedFileException {
    VarHandleOptions options = new VarHandleOptions();
    if (operator.builtinOptionsType() != BuiltinOptions.VarHandleOptions
        || operator.builtinOptions(options) == null) {
      return "";
    }
    return file.name(options.containerAsByteBuffer())
        + '/'
        + file.name(options.sharedNameAsByteBuffer());
  }
}
