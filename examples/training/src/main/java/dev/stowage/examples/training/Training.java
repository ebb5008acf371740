package dev.stowage.examples.training;

import java.util.ArrayList;
import java.util.List;

/**
 * The result of training a network.
 *
 * @param steps the steps, in order
 * @param copies the number of copies
 * @param copiesWithoutLaziness the number of copies if each use copied
 */
record Training(List<Step> steps, long copies, long copiesWithoutLaziness) {

  /**
   * A step.
   *
   * @param place the place that computed it
   * @param loss the loss before it
   */
  record Step(String place, float loss) {}

  /** {@return the training of a network; its steps use the places in turn} */
  static Training of(Network network, int stepCount, List<Place> places) {
    List<Step> steps = new ArrayList<>();
    long copiesWithoutLaziness = 0;
    for (int step = 0; step < stepCount; step++) {
      Place place = places.get(step % places.size());
      for (Task task : network.step()) {
        place.execute(task);
        copiesWithoutLaziness += place.copiesWithoutLaziness(task);
      }
      steps.add(new Step(place.label(), network.loss()));
    }
    return new Training(List.copyOf(steps), network.copyCount(), copiesWithoutLaziness);
  }
}
