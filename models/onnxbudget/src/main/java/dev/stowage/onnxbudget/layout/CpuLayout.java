package dev.stowage.onnxbudget.layout;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;

/**
 * The last optimizations of ONNX Runtime, which depend on the vector registers of the processor.
 *
 * <p>ONNX Runtime applies them for the processor that it runs on. This class applies the same rules
 * for any processor.
 */
public final class CpuLayout {

  /** The first version of the format in which callers can override initializers. */
  private static final long FIRST_WITH_OVERRIDES = 4;

  private final boolean hasOverrides;
  private final OptionalLong block;
  private final Random random;
  private final Set<String> names = new HashSet<>();
  private int nameCount;

  private CpuLayout(ModelProto model, OptionalLong block, long seed) {
    this.hasOverrides = model.getIrVersion() >= FIRST_WITH_OVERRIDES;
    this.block = block;
    this.random = new Random(seed);
    addNames(model.getGraph());
  }

  /**
   * {@return a model with the layout for a processor; the content of its new weights is undefined}
   *
   * @param file the model in the file
   * @param model the model after all other optimizations, with its operators in the order of
   *     execution
   * @param block the channels of a block; empty if the processor has no kernels for blocks
   * @param seed chooses one of the orders of operators that sessions can have
   */
  public static ModelProto of(ModelProto file, ModelProto model, OptionalLong block, long seed) {
    ModelProto.Builder rewritten =
        model.toBuilder()
            .setGraph(new CpuLayout(model, block, seed).rewrite(file.getGraph(), model.getGraph()));
    for (String domain : new String[] {BlockedValue.DOMAIN, "com.microsoft"}) {
      if (model.getOpsetImportList().stream().noneMatch(it -> it.getDomain().equals(domain))) {
        rewritten.addOpsetImport(OperatorSetIdProto.newBuilder().setDomain(domain).setVersion(1));
      }
    }
    return rewritten.build();
  }

  private void addNames(GraphProto graph) {
    graph.getInputList().forEach(input -> names.add(input.getName()));
    graph.getInitializerList().forEach(tensor -> names.add(tensor.getName()));
    for (NodeProto node : graph.getNodeList()) {
      names.addAll(node.getOutputList());
      for (AttributeProto attribute : node.getAttributeList()) {
        addNames(attribute.getG());
      }
    }
  }

  private String newName() {
    String name = "";
    do {
      name = "reorder_" + nameCount++;
    } while (!names.add(name));
    return name;
  }

  private GraphProto rewrite(GraphProto file, GraphProto graph) {
    CreationOrder created = new CreationOrder(file);
    LayoutGraph nodes = new LayoutGraph(withBodies(graph), hasOverrides, created, this::newName);
    block.ifPresent(channels -> new ChannelBlocks(nodes, channels).rewrite(random));
    new AddedConvolutions(nodes).fuse();
    return nodes.build();
  }

  private GraphProto withBodies(GraphProto graph) {
    GraphProto.Builder rewritten = graph.toBuilder();
    for (NodeProto.Builder node : rewritten.getNodeBuilderList()) {
      for (AttributeProto.Builder attribute : node.getAttributeBuilderList()) {
        if (attribute.hasG()) {
          attribute.setG(rewrite(attribute.getG(), attribute.getG()));
        }
      }
    }
    return rewritten.build();
  }
}
