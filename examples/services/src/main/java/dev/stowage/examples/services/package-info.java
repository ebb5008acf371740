/** Budgets of models as settings of services. */
@org.jspecify.annotations.NullMarked
package dev.stowage.examples.services;
