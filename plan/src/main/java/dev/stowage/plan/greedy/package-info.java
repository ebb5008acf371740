/** The strategies of TensorFlow Lite and TensorFlow Lite Micro. */
package dev.stowage.plan.greedy;
