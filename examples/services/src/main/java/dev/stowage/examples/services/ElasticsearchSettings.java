package dev.stowage.examples.services;

import dev.stowage.budget.MemoryBudget;
import dev.stowage.budget.ModelBudget;
import dev.stowage.plan.shapes.DimensionValues;
import java.util.Locale;

/**
 * A budget as the memory of a trained model in Elasticsearch: the bytes of a deployment, and those
 * of each allocation. An allocation is a session.
 */
final class ElasticsearchSettings {

  private ElasticsearchSettings() {}

  /**
   * {@return the metadata of the model as JSON}
   *
   * <p>The bytes of the deployment and those of n allocations are never below the budget of n
   * sessions, and are equal to it for one session.
   */
  static String of(ModelBudget budget, DimensionValues shape, int threads) {
    MemoryBudget one = budget.at(shape, 1, threads);
    MemoryBudget two = budget.at(shape, 2, threads);
    // A single session may need most while it loads, and several ones while they run.
    long allocationBytes =
        Math.max(two.loadingBytes() - one.loadingBytes(), two.runningBytes() - one.runningBytes());
    return String.format(
        Locale.ROOT,
        "{\"metadata\": {\"per_deployment_memory_bytes\": %d, \"per_allocation_memory_bytes\": %d}}",
        one.highestBytes() - allocationBytes,
        allocationBytes);
  }
}
