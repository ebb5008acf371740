package dev.stowage.onnx.graph;

import ai.onnx.proto.OnnxMl.FunctionProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The operators of a model that may do more than compute their results from their inputs.
 *
 * <p>These are random operators and custom operators, and operators with such an operator in a body
 * or function. The operators of the ONNX standard have no other effects.
 */
final class NodeEffects {

  private static final Set<String> WITHOUT_CUSTOM = Set.of("", "ai.onnx", "ai.onnx.ml");
  private static final String MICROSOFT = "com.microsoft";

  /** Operators of ONNX Runtime that compute their results from their inputs only. */
  private static final Set<String> OF_MICROSOFT =
      Set.of(
          "Attention",
          "BiasAdd",
          "BiasGelu",
          "BiasSoftmax",
          "BiasSplitGelu",
          "CDist",
          "ComplexMul",
          "ComplexMulConj",
          "ConvTransposeWithDynamicPads",
          "CropAndResize",
          "DequantizeLinear",
          "DynamicQuantizeLSTM",
          "DynamicQuantizeMatMul",
          "EmbedLayerNormalization",
          "ExpandDims",
          "FastGelu",
          "FusedConv",
          "FusedGemm",
          "FusedMatMul",
          "GatedRelativePositionBias",
          "GatherBlockQuantized",
          "GatherND",
          "Gelu",
          "GroupNorm",
          "Inverse",
          "Irfft",
          "MatMulBnb4",
          "MatMulFpQ4",
          "MatMulInteger16",
          "MatMulIntegerToFloat",
          "MatMulNBits",
          "MaxpoolWithMask",
          "MultiHeadAttention",
          "MurmurHash3",
          "NhwcMaxPool",
          "Pad",
          "QAttention",
          "QEmbedLayerNormalization",
          "QGemm",
          "QLinearAdd",
          "QLinearAveragePool",
          "QLinearConcat",
          "QLinearConv",
          "QLinearGlobalAveragePool",
          "QLinearLeakyRelu",
          "QLinearMul",
          "QLinearReduceMean",
          "QLinearSigmoid",
          "QLinearSoftmax",
          "QLinearWhere",
          "QuantizeLinear",
          "QuickGelu",
          "Range",
          "ReduceSumInteger",
          "RelativePositionBias",
          "Rfft",
          "RotaryEmbedding",
          "SkipGroupNorm",
          "SkipLayerNormalization",
          "SkipSimplifiedLayerNormalization",
          "Tokenizer",
          "TransposeMatMul",
          "Trilu",
          "Unique",
          "WordConvEmbedding");

  /** The names of the model's functions. */
  private final Set<List<String>> functions = new HashSet<>();

  private final Set<List<String>> functionsWithEffects = new HashSet<>();

  NodeEffects(ModelProto model) {
    model.getFunctionsList().forEach(function -> functions.add(name(function)));
    Map<List<String>, Set<List<String>>> callers = new HashMap<>();
    Deque<List<String>> found = new ArrayDeque<>();
    for (FunctionProto function : model.getFunctionsList()) {
      for (NodeProto node : function.getNodeList()) {
        if (hasEffects(node)) {
          found.add(name(function));
        }
        addCaller(name(function), node, callers);
      }
    }
    while (!found.isEmpty()) {
      List<String> function = found.remove();
      if (functionsWithEffects.add(function)) {
        found.addAll(callers.getOrDefault(function, Set.of()));
      }
    }
  }

  /** Adds a function to the callers of all functions that one of its operators calls. */
  private void addCaller(
      List<String> caller, NodeProto node, Map<List<String>, Set<List<String>>> callers) {
    if (functions.contains(name(node))) {
      callers.computeIfAbsent(name(node), _ -> new HashSet<>()).add(caller);
    }
    inBodies(node).forEach(inner -> addCaller(caller, inner, callers));
  }

  /** {@return true if an operator must keep its order with others of this kind} */
  boolean hasEffects(NodeProto node) {
    return isRandomOrCustom(node)
        || functionsWithEffects.contains(name(node))
        || inBodies(node).anyMatch(this::hasEffects);
  }

  private boolean isRandomOrCustom(NodeProto node) {
    String domain = node.getDomain();
    if (WITHOUT_CUSTOM.contains(domain)) {
      return GraphNode.mayBeRandom(node);
    }
    return !functions.contains(name(node))
        && !(domain.equals(MICROSOFT) && OF_MICROSOFT.contains(node.getOpType()));
  }

  private static Stream<NodeProto> inBodies(NodeProto node) {
    return node.getAttributeList().stream()
        .flatMap(attribute ->
            Stream.concat(Stream.of(attribute.getG()), attribute.getGraphsList().stream()))
        .flatMap(body -> body.getNodeList().stream());
  }

  private static List<String> name(NodeProto node) {
    return List.of(node.getDomain(), node.getOpType());
  }

  private static List<String> name(FunctionProto function) {
    return List.of(function.getDomain(), function.getName());
  }
}
