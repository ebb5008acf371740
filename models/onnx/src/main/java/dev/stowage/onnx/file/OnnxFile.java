package dev.stowage.onnx.file;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** The bytes of {@code .onnx} files, and the models that they contain. */
public final class OnnxFile {

  private OnnxFile() {}

  /**
   * {@return the bytes of a file, mapped until the buffer becomes unreachable}
   *
   * @param file the file
   * @throws MalformedFileException if it is not a regular file of less than 2 GiB
   * @throws IOException if it cannot be read
   */
  public static ByteBuffer map(Path file) throws IOException {
    // On some systems, a directory can be opened, and mapping it fails without a clear message.
    if (Files.isDirectory(file)) {
      throw new FileSystemException(file.toString(), null, "is a folder, expected a file");
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      // Opening a pipe waits for its writer, and pipes and devices cannot be mapped.
      throw new MalformedFileException(
          file.toString(), "is a pipe or a device, expected a regular file");
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long fileBytes = channel.size();
      if (fileBytes > Integer.MAX_VALUE) {
        throw new MalformedFileException(
            file.toString(),
            String.format(
                Locale.ROOT,
                "has %d bytes, expected less than 2^31, the limit of Protocol Buffers",
                fileBytes));
      }
      return channel.map(MapMode.READ_ONLY, 0, fileBytes);
    }
  }

  /**
   * {@return the model in a file}
   *
   * @param file the file
   * @throws MalformedFileException as {@link #parse(String, ByteBuffer)}
   * @throws IOException if it cannot be read
   */
  public static ModelProto parse(Path file) throws IOException {
    return parse(file.toString(), map(file));
  }

  /**
   * {@return the model in the bytes of a file}
   *
   * @param source the name of the file in messages
   * @param bytes the bytes
   * @throws MalformedFileException if they are not a complete model, or one with more than
   *     1,000,000 operators
   */
  public static ModelProto parse(String source, ByteBuffer bytes) throws MalformedFileException {
    OperatorCount.check(source, bytes.duplicate());
    try {
      CodedInputStream in = CodedInputStream.newInstance(bytes);
      in.enableAliasing(true); // does not copy weights
      return ModelProto.parseFrom(in);
    } catch (InvalidProtocolBufferException e) {
      MalformedFileException malformed =
          new MalformedFileException(
              source, "is damaged or of another format, expected an ONNX model: " + e.getMessage());
      malformed.initCause(e);
      throw malformed;
    } catch (IOException e) {
      throw new AssertionError("reading from memory failed", e);
    }
  }

  /**
   * Checks an order of operators.
   *
   * @param order the operators by their indices
   * @throws IllegalArgumentException if the order does not contain each index from 0 once
   */
  public static void checkOrder(List<Integer> order) {
    if (!order.stream().sorted().toList().equals(firstTo(order.size()))) {
      throw new IllegalArgumentException(
          "an order must contain each operator from 0 once: order=" + order);
    }
  }

  /** {@return the numbers from 0 to a count} */
  static List<Integer> firstTo(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  /**
   * {@return a model with its operators in another order}
   *
   * @param source the name of the file in messages
   * @param model the model
   * @param order the operators by their indices, each once; empty to keep their order
   * @throws MalformedFileException if the model has another number of operators
   */
  public static ModelProto inOrder(String source, ModelProto model, List<Integer> order)
      throws MalformedFileException {
    if (order.isEmpty()) {
      return model;
    }
    List<NodeProto> nodes = model.getGraph().getNodeList();
    if (nodes.size() != order.size()) {
      throw new MalformedFileException(
          source,
          String.format(
              Locale.ROOT,
              "has %d operators, expected %d, the number in the requested order",
              nodes.size(),
              order.size()));
    }
    ModelProto.Builder reordered = model.toBuilder();
    reordered.getGraphBuilder().clearNode().addAllNode(order.stream().map(nodes::get).toList());
    return reordered.build();
  }
}
