package dev.stowage.cli;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * A model of two branches in the format of Protocol Buffers.
 *
 * <p>The file has the operators of both branches alternately. If the second branch runs after the
 * first, the arena is smaller:
 *
 * <pre>
 *   x -> Concat -> a -> ReduceMax -> c -+
 *          0               2            Add -> y
 *   x -> Concat -> b -> ReduceMax -> d -+  4
 *          1               3
 * </pre>
 */
final class BranchesModel {

  private static final int FLOAT = 1;
  private static final int EXTERNAL = 1;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  private BranchesModel() {}

  /** {@return the model} */
  static byte[] bytes() {
    return bytes(100);
  }

  /**
   * {@return the model with an input of another size}
   *
   * @param columns the number of floats of x; a and b have twice as many
   */
  static byte[] bytes(int columns) {
    return model(columns, new BranchesModel(), "a");
  }

  /**
   * {@return the model with a weight w as large as a, and an operator before ReduceMax 2: the
   * product m of a and w}
   *
   * @param columns the number of floats of x
   */
  static byte[] weighted(int columns) {
    BranchesModel tensor =
        new BranchesModel().number(1, 1).number(1, 2 * columns).number(2, FLOAT).text(8, "w");
    BranchesModel weight = new BranchesModel();
    return model(columns, weight.message(5, tensor.field(9, new byte[8 * columns])), "m");
  }

  /** {@return the model with an unused weight of 4 bytes in another file} */
  static byte[] withWeights(String location) {
    BranchesModel tensor = new BranchesModel().number(1, 1).number(2, FLOAT).text(8, "w");
    tensor.message(13, new BranchesModel().text(1, "location").text(2, location));
    return model(100, new BranchesModel().message(5, tensor.number(14, EXTERNAL)), "a");
  }

  private static byte[] model(int columns, BranchesModel initializers, String reduced) {
    BranchesModel graph = new BranchesModel();
    graph.node("Concat", "a", "x", "x").node("Concat", "b", "x", "x");
    if (reduced.equals("m")) {
      graph.node("Mul", "m", "a", "w");
    }
    graph.node("ReduceMax", "c", reduced).node("ReduceMax", "d", "b").node("Add", "y", "c", "d");
    graph.text(2, "branches");
    graph.bytes.writeBytes(initializers.bytes.toByteArray());
    graph.message(11, value("x", 1, columns)).message(12, value("y", 1, 1));
    for (String large : new String[] {"a", "b", "m"}) {
      graph.message(13, value(large, 1, 2 * columns));
    }
    for (String small : new String[] {"c", "d"}) {
      graph.message(13, value(small, 1, 1));
    }
    return new BranchesModel()
        .number(1, 8)
        .message(7, graph)
        .message(8, new BranchesModel().number(2, 13))
        .bytes
        .toByteArray();
  }

  private BranchesModel node(String operator, String output, String... inputs) {
    BranchesModel node = new BranchesModel();
    for (String input : inputs) {
      node.text(1, input);
    }
    node.text(2, output).text(4, operator);
    if (operator.equals("Concat")) {
      node.message(5, new BranchesModel().text(1, "axis").number(3, 1).number(20, 2));
    }
    return message(1, node);
  }

  private static BranchesModel value(String name, int rows, int columns) {
    BranchesModel shape = new BranchesModel();
    shape.message(1, new BranchesModel().number(1, rows));
    shape.message(1, new BranchesModel().number(1, columns));
    BranchesModel tensor = new BranchesModel().number(1, FLOAT).message(2, shape);
    return new BranchesModel().text(1, name).message(2, new BranchesModel().message(1, tensor));
  }

  private BranchesModel number(int field, int value) {
    return varint(field << 3).varint(value);
  }

  private BranchesModel text(int field, String value) {
    return field(field, value.getBytes(StandardCharsets.UTF_8));
  }

  private BranchesModel message(int field, BranchesModel value) {
    return field(field, value.bytes.toByteArray());
  }

  private BranchesModel field(int field, byte[] value) {
    varint((field << 3) | 2).varint(value.length);
    bytes.writeBytes(value);
    return this;
  }

  private BranchesModel varint(int value) {
    int rest = value;
    while (rest > 127) {
      bytes.write((rest & 127) | 128);
      rest >>>= 7;
    }
    bytes.write(rest);
    return this;
  }
}
