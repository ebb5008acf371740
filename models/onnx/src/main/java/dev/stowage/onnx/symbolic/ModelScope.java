package dev.stowage.onnx.symbolic;

import ai.onnx.proto.OnnxMl.FunctionProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The operator sets and functions of a model. */
final class ModelScope {

  /**
   * The number of operators that are evaluated. Bodies and functions within each other can have far
   * more.
   */
  private static final int MAX_OPERATORS = 1_000_000;

  /** The largest number of functions within each other. */
  private static final int MAX_DEPTH = 100;

  /** The remaining number of operators, which all functions of a model share. */
  private static final class Budget {
    private int remaining = MAX_OPERATORS;
  }

  private final Sizing sizing;
  private final Map<List<String>, FunctionProto> functions;
  private final Map<String, Long> versions;
  private final Budget budget;
  private final int depth;

  private ModelScope(
      Sizing sizing,
      Map<List<String>, FunctionProto> functions,
      Map<String, Long> versions,
      Budget budget,
      int depth) {
    this.sizing = sizing;
    this.functions = functions;
    this.versions = versions;
    this.budget = budget;
    this.depth = depth;
  }

  static ModelScope of(ModelProto model, Sizing sizing) {
    Map<List<String>, FunctionProto> functions = new HashMap<>();
    for (FunctionProto function : model.getFunctionsList()) {
      functions.put(List.of(plain(function.getDomain()), function.getName()), function);
    }
    return new ModelScope(sizing, functions, versions(model.getOpsetImportList()), new Budget(), 0);
  }

  private static Map<String, Long> versions(List<OperatorSetIdProto> imports) {
    Map<String, Long> versions = new HashMap<>();
    imports.forEach(set -> versions.put(plain(set.getDomain()), set.getVersion()));
    return versions;
  }

  private static String plain(String domain) {
    return domain.equals("ai.onnx") ? "" : domain;
  }

  /** {@return the scope of the operators of a function} */
  ModelScope within(FunctionProto function) {
    return new ModelScope(
        sizing, functions, versions(function.getOpsetImportList()), budget, depth + 1);
  }

  Sizing sizing() {
    return sizing;
  }

  /** {@return the version of a domain; 1 if the model does not name it} */
  long version(String domain) {
    return versions.getOrDefault(plain(domain), 1L);
  }

  /** {@return the function that an operator calls, unless functions call each other without end} */
  Optional<FunctionProto> function(NodeProto node) {
    FunctionProto function = functions.get(List.of(plain(node.getDomain()), node.getOpType()));
    return depth > Math.min(functions.size(), MAX_DEPTH)
        ? Optional.empty()
        : Optional.ofNullable(function);
  }

  /** {@return true if another operator can be evaluated} */
  boolean hasBudget() {
    return budget.remaining-- > 0;
  }
}
