package dev.stowage.onnx.file;

import ai.onnx.proto.OnnxMl.ModelProto;
import dev.stowage.onnx.graph.GraphAssembly;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;

/**
 * A writer of copies of ONNX models with the operators of the main graph in another order.
 *
 * <p>A copy has the bytes of the model, except that the operators are permuted. It also has the
 * content that Stowage does not know.
 */
public final class OnnxModelWriter {

  private OnnxModelWriter() {}

  /**
   * {@return the other files that contain data of the model's tensors, relative to the folder of
   * the model; a copy of the model needs them in its folder}
   *
   * @param model the model
   * @throws MalformedFileException if the model is damaged, or a file is not within its folder,
   *     does not exist, or is too short
   * @throws IOException if the model cannot be read
   */
  public static List<Path> externalFiles(Path model) throws IOException {
    return ExternalData.of(model, OnnxFile.parse(model));
  }

  /**
   * Writes a copy of a model with its permissions, reads it back and checks it.
   *
   * @param model the model
   * @param order the operators of its main graph by their indices in the file, each once, such as
   *     {@code OnnxProblem.orderInFile}
   * @param copy the new file, which does not exist
   * @throws MalformedFileException if the model is damaged, has another number of operators, or has
   *     them in several graph fields
   * @throws IllegalArgumentException if the order does not contain each index from 0 once, or an
   *     operator precedes the producer of one of its inputs
   * @throws IOException if a file cannot be read or written
   */
  public static void write(Path model, List<Integer> order, Path copy) throws IOException {
    String source = model.toString();
    ByteBuffer bytes = OnnxFile.map(model);
    ModelProto read = OnnxFile.parse(source, bytes.duplicate());
    if (order.isEmpty() && read.getGraph().getNodeCount() > 0) {
      throw new IllegalArgumentException(
          "an order must contain each operator from 0 once: order=[]");
    }
    OnnxFile.checkOrder(order);
    ModelProto reordered = OnnxFile.inOrder(source, read, order);
    List<Integer> places = GraphAssembly.assemble(source, reordered).places();
    if (!places.equals(OnnxFile.firstTo(places.size()))) {
      throw new IllegalArgumentException(
          "an operator precedes the producer of one of its inputs: order=" + order);
    }
    List<NodeBytes.Range> nodes = NodeBytes.of(source, bytes.duplicate());
    try (FileChannel out =
        FileChannel.open(
            copy,
            Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
            permissions(model))) {
      int done = 0;
      for (int k = 0; k < nodes.size(); k++) {
        write(bytes, done, nodes.get(k).start(), out);
        NodeBytes.Range node = nodes.get(order.get(k));
        write(bytes, node.start(), node.end(), out);
        done = nodes.get(k).end();
      }
      write(bytes, done, bytes.limit(), out);
    }
    check(reordered, bytes.limit(), copy);
  }

  /** {@return the permissions of a model; none if its file system has none} */
  private static FileAttribute<?>[] permissions(Path model) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(model, PosixFileAttributeView.class);
    return view == null
        ? new FileAttribute<?>[0]
        : new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(view.readAttributes().permissions())
        };
  }

  private static void write(ByteBuffer bytes, int start, int end, FileChannel out)
      throws IOException {
    ByteBuffer part = bytes.slice(start, end - start);
    while (part.hasRemaining()) {
      out.write(part);
    }
  }

  /** Reads a copy and checks that it is the expected model. */
  private static void check(ModelProto expected, long expectedBytes, Path copy) throws IOException {
    ByteBuffer written = OnnxFile.map(copy);
    if (written.remaining() != expectedBytes
        || !OnnxFile.parse(copy.toString(), written).equals(expected)) {
      throw new AssertionError("the copy is not the model in the new order: " + copy);
    }
  }
}
