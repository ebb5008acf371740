package dev.stowage.examples.services;

import dev.stowage.core.budget.ModelBudget;
import dev.stowage.core.plan.shapes.DimensionValues;
import java.util.Locale;

/**
 * A budget as the memory of a trained model in Elasticsearch: the bytes of a deployment, and those
 * of each allocation. An allocation is a session.
 */
final class ElasticsearchSettings {

  private ElasticsearchSettings() {}

  /** {@return the metadata of the model as JSON} */
  static String of(ModelBudget budget, DimensionValues shape, int threads) {
    long one = budget.at(shape, 1, threads).highestBytes();
    long allocationBytes = budget.at(shape, 2, threads).highestBytes() - one;
    return String.format(
        Locale.ROOT,
        "{\"metadata\": {\"per_deployment_memory_bytes\": %d, \"per_allocation_memory_bytes\": %d}}",
        one - allocationBytes,
        allocationBytes);
  }
}
