/** The search for layouts that are valid for all shapes of a range. */
package dev.stowage.plan.shapes.search;
