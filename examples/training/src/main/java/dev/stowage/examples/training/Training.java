package dev.stowage.examples.training;

import java.util.ArrayList;
import java.util.List;

/**
 * What a network's training came to.
 *
 * @param steps its steps, in order
 * @param copies how many copies it took
 * @param copiesWithoutLaziness how many it would have taken had every use copied
 */
record Training(List<Step> steps, long copies, long copiesWithoutLaziness) {

  /**
   * A step.
   *
   * @param place where it was computed
   * @param loss the loss before it
   */
  record Step(String place, float loss) {}

  /** {@return the training of a network, each step at the next place, and round again} */
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
