package dev.stowage.examples.services;

import dev.stowage.budget.MemoryBudget;
import dev.stowage.budget.ModelBudget;
import dev.stowage.plan.shapes.DimensionValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Prints the settings of services for the largest shape of a profile of {@code stowage budget}. */
public final class ServiceSettings {

  private ServiceSettings() {}

  /**
   * Prints the settings.
   *
   * @param args the profile, the number of sessions and the number of threads of each
   * @throws IOException if the profile cannot be read
   */
  public static void main(String[] args) throws IOException {
    if (args.length != 3) {
      System.err.println("usage: ServiceSettings PROFILE SESSIONS THREADS");
      System.exit(2);
    }
    ModelBudget budget = ModelBudget.parse(Files.readString(Path.of(args[0])));
    DimensionValues largest = budget.ranges().last();
    int sessions = Integer.parseInt(args[1]);
    int threads = Integer.parseInt(args[2]);
    MemoryBudget memory = budget.at(largest, sessions, threads);
    System.out.println("Flink: " + FlinkSettings.of(memory).toMap());
    System.out.println("DJL Serving: " + DjlSettings.of(memory));
    System.out.println("Elasticsearch: " + ElasticsearchSettings.of(budget, largest, threads));
  }
}
