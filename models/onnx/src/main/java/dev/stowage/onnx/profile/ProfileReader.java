package dev.stowage.onnx.profile;

import dev.stowage.onnx.graph.ValueType;
import java.io.IOException;
import java.io.Reader;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A reader of the runs in a profile. */
public final class ProfileReader {

  private ProfileReader() {}

  /**
   * {@return the profile in a file}
   *
   * <p>The memory of this method depends on the number of operators of the model, and not on the
   * length of the file.
   *
   * @param source the name of the file in messages
   * @param profile the file, which this method does not close
   * @param inputs returns the types of the inputs of the model that the operators of a run read, by
   *     name; runs with the same ones are one {@link ProfiledRun}
   * @throws dev.stowage.plan.MalformedFileException if the file is not a profile, or has no
   *     complete run
   * @throws IOException if the file cannot be read
   */
  public static ServiceProfile read(
      String source,
      Reader profile,
      Function<List<ProfiledRun.Operator>, Map<String, ValueType.Tensor>> inputs)
      throws IOException {
    RunCollector collector = new RunCollector(source, inputs);
    boolean isComplete = ProfileEventParser.parse(source, profile, collector);
    return collector.profile(!isComplete);
  }
}
