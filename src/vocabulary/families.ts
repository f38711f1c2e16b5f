import { activityList } from './shipped.ts';
import { allBroader, type Concept } from './vocabulary.ts';

/** Families of activities: what they have in common is the place and the clothes, and the colour of their bar on a page. */
export const FAMILIES = ['mind', 'water', 'gym', 'ball', 'outdoors', 'dance'] as const;

export type Family = (typeof FAMILIES)[number];

/**
 * Concepts of each family, by label; what is narrower belongs to the family of its nearest broader one. Every concept that
 * has nothing broader is in the table: `dance` also holds children and the rest.
 */
const MEMBERS: Record<Family, string> = {
  mind: `Breathwork, Feldenkrais, Flexibility/Stretching, GYROKINESIS®, Lishi, Meditation, Otago, Pilates, Sauna, Spa,
    Steam Room, Tai Chi, TRE, Trigger Point, Turkish Baths, Yoga`,
  water: `Aquathon, Canoeing, Diving, Dragon Boat Racing, Jet Skiing, Kayaking, Kite Surfing, Lifesaving Sport, Octopush,
    Rafting, Rowing, Sailing, Scuba Diving, Snorkelling, Surfing, Swimming, Wakeboarding, Water Polo, Water Skiing,
    Water-Based Classes, Windsurfing`,
  gym: `Arm Wrestling, Boxing, Crossfit, Fencing, General Fitness for Older Adults, Group Exercise, Gym Workout, Gymnastics,
    Martial Arts, Power Assisted Exercise, RescueFit Adult Bootcamp, Trampolining, Weightlifting, Wrestling`,
  ball: `American Football, Australian Rules Football, Badminton, Baseball, Basketball, Bicycle Polo, Billiards, Boccia,
    Bowls, Camogie, Cricket, Croquet, Curling, Darts, Dodgeball, Fives, Floorball, Football, Gaelic Games, Goalball, Golf,
    Handball, Hockey, Horseball, Ice Hockey, Kabaddi, Korfball, Lacrosse, Netball, Petanque, Pickleball, Polo, Polybat,
    Pool, Quoits, Real Tennis, Rounders, Rugby, Shinty, Snooker, Softball, Squash, Stoolball, Table Tennis, Tchoukball,
    Ten-Pin Bowling, Tennis, Ultimate Frisbee, Volleyball, Wallball, Wheelchair Rugby`,
  outdoors: `Angling, Archery, Athletics, Ballooning, Biathlon, Bobsleigh, Camping, Caving, Climbing, Cycling, Equestrian,
    Forest School, Gardening, Geocaching, Gliding, Highland Games, Hovering, Ice Skating, Karting, Land Sailing, Luge,
    Modern Pentathlon, Motor Sport, Mountain Biking, Mountaineering, Obstacle Course Racing, Orienteering, Paintball,
    Parachuting, Parkour, ParkPlay, Powerkiting, Roller Sports, Ropes Courses, Running, Shooting, Skeleton Racing, Skiing,
    Snowboarding, Target Throwing, Tobagganing, Triathlon, Tug Of War, Walking`,
  dance: `Acting, Activity Holiday Camp, Baton Twirling, Cheerleading, Circus Skills, Creche, Dance, Drumming,
    Early Years Play, Laser Tag, Multisports, Singing, Soft Play`,
};

/**
 * The family of a concept of the activity list, also of a newer one; undefined: neither it nor anything broader is known.
 *
 * @example familyOf(activityList().byLabel('Aqua Aerobics')) // 'water'
 */
export function familyOf(concept: Concept | undefined): Family | undefined {
  if (concept === undefined) return undefined;
  families ??= familiesById();
  for (const { id } of [concept, ...allBroader(concept)]) {
    const family = families.get(id);
    if (family !== undefined) return family;
  }
  return undefined;
}

/**
 * The family of the first activity, by label, that has one.
 *
 * @example familyOfActivities(['Trapeze for cats', 'Yoga']) // 'mind'
 */
export function familyOfActivities(labels: readonly string[]): Family | undefined {
  for (const label of labels) {
    const family = familyOf(activityList().byLabel(label));
    if (family !== undefined) return family;
  }
  return undefined;
}

let families: Map<string, Family> | undefined;

function familiesById(): Map<string, Family> {
  return new Map(
    FAMILIES.flatMap((family) =>
      MEMBERS[family].split(/,\s+/).map((label) => [activityList().byLabel(label)?.id ?? label, family] as const),
    ),
  );
}
