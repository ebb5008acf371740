package dev.stowage.onnx.service;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.List;
import java.util.Map;

/**
 * The work of a measured service, which reads it from its standard input.
 *
 * @param model the model
 * @param load the counts of the load
 * @param options the options of sessions and runs
 * @param bounds the exclusive upper bounds of the integers of inputs
 * @param files the {@code .npy} files of inputs
 * @param shapes the shapes of rounds, in their order
 * @param mixed the shapes of the mixed load, or of arriving requests; empty if there is none
 */
public record ServiceScript(
    String model,
    Load load,
    Map<String, String> options,
    Map<String, Long> bounds,
    Map<String, String> files,
    List<Map<String, Long>> shapes,
    List<Map<String, Long>> mixed)
    implements Serializable {

  /** The first requests of a load: rounds, mixed requests, or only arriving requests. */
  public enum Order {
    /** Rounds of the largest requests first. */
    ROUNDS,
    /** Requests of mixed sizes first. */
    MIXED,
    /** Only the requests that arrive, in their order. */
    ARRIVAL
  }

  /**
   * The counts of a load.
   *
   * @param sessions the number of sessions
   * @param threads the number of threads of each session
   * @param concurrent the number of requests at a time in each session
   * @param windowSeconds the length of a window of the mixed load
   * @param order the order of the load
   */
  public record Load(int sessions, int threads, int concurrent, int windowSeconds, Order order)
      implements Serializable {}

  /** {@return the work that the command wrote} */
  static ServiceScript read(InputStream in) throws IOException {
    try {
      return (ServiceScript) new ObjectInputStream(in).readObject();
    } catch (ClassNotFoundException e) {
      throw new IOException(e);
    }
  }
}
