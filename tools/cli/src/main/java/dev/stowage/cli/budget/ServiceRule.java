package dev.stowage.cli.budget;

import java.util.List;

/**
 * A rule by which a service estimates the memory of a model.
 *
 * @param name the rule and the service
 * @param bytes the estimate
 */
public record ServiceRule(String name, long bytes) {

  private static final long MIB = 1 << 20;

  /**
   * {@return the estimates for a model}
   *
   * @param fileBytes the bytes of its file
   * @param tensorBytes the bytes of weights and activations
   */
  static List<ServiceRule> of(long fileBytes, long tensorBytes) {
    return List.of(
        new ServiceRule("1.4 x file + 100 MiB (Vespa)", fileBytes * 7 / 5 + 100 * MIB),
        new ServiceRule("2 x file + 240 MiB (Elasticsearch)", 2 * fileBytes + 240 * MIB),
        new ServiceRule("1.25 x file (ModelMesh)", fileBytes * 5 / 4),
        new ServiceRule("1.5 x (weights + activations)", tensorBytes * 3 / 2));
  }
}
