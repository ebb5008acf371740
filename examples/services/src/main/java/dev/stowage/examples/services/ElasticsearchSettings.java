package dev.stowage.examples.services;

import dev.stowage.budget.ModelBudget;
import dev.stowage.plan.shapes.DimensionValues;
import java.util.Locale;

/**
 * A budget as the memory of a trained model in Elasticsearch: the bytes of a deployment and the
 * bytes of each allocation. An allocation is a session.
 */
final class ElasticsearchSettings {

  private ElasticsearchSettings() {}

  /**
   * {@return the metadata of the model as JSON}
   *
   * <p>The bytes of the deployment are never below the sample of one session, and the bytes of all
   * allocations never below the sample of all sessions.
   *
   * @param sessions the number of sessions of the samples
   */
  static String of(ModelBudget budget, DimensionValues shape, int sessions, int concurrent) {
    long one = budget.at(shape, 1, concurrent).highestBytes();
    long all = budget.at(shape, sessions, concurrent).highestBytes();
    long allocationBytes = sessions == 1 ? one : Math.ceilDiv(all - one, sessions - 1L);
    return String.format(
        Locale.ROOT,
        "{\"metadata\": {\"per_deployment_memory_bytes\": %d, \"per_allocation_memory_bytes\": %d}}",
        one - allocationBytes,
        allocationBytes);
  }
}
