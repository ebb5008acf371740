package dev.stowage.examples.services;

import dev.stowage.budget.ModelBudget;
import dev.stowage.budget.ServiceSample;
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
   * @param args the profile, the number of sessions and of requests at a time in each, as measured
   * @throws IOException if the profile cannot be read
   */
  public static void main(String[] args) throws IOException {
    if (args.length != 3) {
      System.err.println("usage: ServiceSettings PROFILE SESSIONS CONCURRENT");
      System.exit(2);
    }
    ModelBudget budget = ModelBudget.parse(Files.readString(Path.of(args[0])));
    DimensionValues largest = budget.ranges().last();
    int sessions = Integer.parseInt(args[1]);
    int concurrent = Integer.parseInt(args[2]);
    ServiceSample memory = budget.at(largest, sessions, concurrent);
    System.out.println("Flink: " + FlinkSettings.of(memory).toMap());
    System.out.println("DJL Serving: " + DjlSettings.of(memory));
    System.out.println(
        "Elasticsearch: " + ElasticsearchSettings.of(budget, largest, sessions, concurrent));
  }
}
