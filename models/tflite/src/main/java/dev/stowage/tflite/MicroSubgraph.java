package dev.stowage.tflite;

import dev.stowage.plan.MalformedFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.tensorflow.lite.schema.BatchMatMulOptions;
import org.tensorflow.lite.schema.BuiltinOperator;
import org.tensorflow.lite.schema.BuiltinOptions;
import org.tensorflow.lite.schema.CallOnceOptions;
import org.tensorflow.lite.schema.IfOptions;
import org.tensorflow.lite.schema.Model;
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
record MicroSubgraph(
    String name,
    TensorTable tensors,
    List<Integer> inputs,
    List<Integer> outputs,
    List<MicroOperator> operators) {

  /** The index of an omitted optional input. */
  private static final int NO_TENSOR = -1;

  /** {@return all subgraphs of a model, at least one} */
  static List<MicroSubgraph> allOf(ModelFile file) throws MalformedFileException {
    Model model = file.model();
    int count = file.length("subgraphs", model.subgraphsLength(), Integer.BYTES, model::subgraphs);
    if (count == 0) {
      throw file.malformed("has no subgraph, expected at least 1");
    }
    OperatorCodes codes = OperatorCodes.of(file, model);
    ConstantBuffers buffers = ConstantBuffers.of(file, model);
    List<MicroSubgraph> subgraphs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      file.enter("subgraph", i);
      file.payTable();
      subgraphs.add(of(file, codes, buffers, model.subgraphs(i), count));
    }
    return subgraphs;
  }

  private static MicroSubgraph of(
      ModelFile file, OperatorCodes codes, ConstantBuffers buffers, SubGraph subgraph, int count)
      throws MalformedFileException {
    String name = file.name(subgraph.nameAsByteBuffer());
    TensorTable tensors = TensorTable.of(file, buffers, subgraph);
    List<Integer> inputs =
        indices(
            file,
            tensors.count(),
            file.length("inputs", subgraph.inputsLength(), Integer.BYTES, subgraph::inputs),
            subgraph::inputs);
    List<Integer> outputs =
        indices(
            file,
            tensors.count(),
            file.length("outputs", subgraph.outputsLength(), Integer.BYTES, subgraph::outputs),
            subgraph::outputs);
    int operatorCount =
        file.length("operators", subgraph.operatorsLength(), Integer.BYTES, subgraph::operators);
    List<MicroOperator> operators = new ArrayList<>();
    Operator operator = new Operator();
    for (int k = 0; k < operatorCount; k++) {
      file.enter("operator", k);
      file.payTable();
      subgraph.operators(operator, k);
      operators.add(operator(file, codes, operator, tensors.count(), count));
    }
    return new MicroSubgraph(name, tensors, inputs, outputs, operators);
  }

  private static MicroOperator operator(
      ModelFile file, OperatorCodes codes, Operator operator, int tensorCount, int subgraphCount)
      throws MalformedFileException {
    OperatorKind kind = codes.kind(file, operator.opcodeIndex());
    List<Integer> inputs =
        indices(
            file,
            tensorCount,
            file.length("inputs", operator.inputsLength(), Integer.BYTES, operator::inputs),
            operator::inputs);
    List<Integer> outputs =
        indices(
            file,
            tensorCount,
            file.length("outputs", operator.outputsLength(), Integer.BYTES, operator::outputs),
            operator::outputs);
    List<Integer> called = called(kind.builtinCode(), operator);
    for (int subgraph : called) {
      if (subgraph < 0 || subgraph >= subgraphCount) {
        throw file.malformed(
            String.format(
                Locale.ROOT,
                "calls subgraph %d, expected 0 or more and less than %d, the number of subgraphs",
                subgraph,
                subgraphCount));
      }
    }
    return new MicroOperator(
        kind,
        inputs,
        outputs,
        called,
        transposed(kind, inputs, operator),
        variable(file, operator));
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

  /** A vector of tensor indices in the file. */
  private interface Indices {
    int at(int position);
  }

  private static List<Integer> indices(ModelFile file, int tensorCount, int length, Indices vector)
      throws MalformedFileException {
    List<Integer> indices = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      int index = vector.at(i);
      if (index < NO_TENSOR || index >= tensorCount) {
        throw file.malformed(
            String.format(
                Locale.ROOT,
                "has tensor index %d, expected 0 or more and less than %d, the number of tensors, or -1 for none",
                index,
                tensorCount));
      }
      if (index != NO_TENSOR) {
        indices.add(index);
      }
    }
    return indices;
  }
}
